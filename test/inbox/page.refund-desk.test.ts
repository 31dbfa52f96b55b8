import { CUSTOMER_WRITES, refundDesk } from '../../examples/refund-desk/agent';
import { HoldpointError } from '../../src/agent/errors';
import { inBrowser, screenshot } from './browser';
import { useStage } from './stage';

const stage = useStage([refundDesk]);

/** A name that reads well, and stays free for the next time. */
async function forget(): Promise<void> {
  try {
    await stage.desk.client.erase({ runId: 'ticket-1047' });
  } catch (error) {
    if (!(error instanceof HoldpointError) || error.type !== 'Holdpoint.Run.NotFound') throw error;
  }
}

inBrowser(
  'the refund desk\u2019s approval is read at a glance: what, how much, why, and what was said before',
  async () => {
    const { desk } = stage;
    const page = await stage.tabOf('fay', { viewport: { width: 1280, height: 900 } });
    const order = { order: '1047' };
    const input = desk.play(
      [
        { content: 'I look the order up.', toolCalls: [{ id: 'a', name: 'lookup_order', arguments: order }] },
        {
          content: 'Now I ask whether it came back.',
          toolCalls: [{ id: 'b', name: 'ask_warehouse', arguments: order }],
        },
        {
          content: 'The warehouse has the jacket back, unworn. I refund the full amount.',
          toolCalls: [{ id: 'c', name: 'refund', arguments: { ...order, amountCents: 8990 } }],
        },
        { content: 'Order 1047 is refunded: 89.90 EUR are on their way.' },
      ],
      CUSTOMER_WRITES,
    );
    await forget();
    const asked = await desk.client.run('refund-desk', input, { runId: 'ticket-1047' });
    const { runId } = asked;
    const halted = await desk.client.runWithAnswer(runId, {
      id: asked.pending?.id ?? '',
      ok: true,
      data: { output: 'Back on 2 March, unworn.' },
      by: 'warehouse',
    });
    await page.goto(`${stage.inbox.url}/requests/${runId}/${halted.pending?.id ?? ''}`);
    await page.getByRole('heading', { name: 'Approve refund?' }).waitFor();
    await page.getByText('cannot be undone').waitFor();
    await page.getByText('= 89.90').first().waitFor();
    await page.getByText('Back on 2 March, unworn.').waitFor();
    await page.getByText('Answered ask_warehouse by warehouse').waitFor();
    await screenshot(page, 'refund-desk');
    await forget();
  },
);
