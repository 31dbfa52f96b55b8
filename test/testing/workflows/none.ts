/** Workflows without the recorded type. */
export async function somethingElse(): Promise<void> {}
