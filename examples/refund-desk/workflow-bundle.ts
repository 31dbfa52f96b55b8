import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflows } from 'holdpoint/worker';

/** The workflow code in a file, so that it is bundled once and every worker of the demo starts sooner. */
export interface BundleFile {
  readonly path: string;
  remove(): Promise<void>;
}

export async function writeWorkflowBundle(): Promise<BundleFile> {
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-demo-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'workflow-bundle.js');
  try {
    await writeFile(path, (await bundleWorkflows()).code);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}
