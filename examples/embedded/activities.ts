/** An activity of the shop's own: nothing of it knows of agents. */
export async function payBack(order: string, account: string): Promise<string> {
  return `Paid order ${order} back to ${account}.`;
}
