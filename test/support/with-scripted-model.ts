import {
  scriptedModel,
  type Script,
  type ScriptedModel,
  type ScriptedModelOptions,
} from '../../src/testing/scripted-model';

/** Runs `use` with a scripted model and closes it whatever happens. */
export async function withScriptedModel<T>(
  script: Script,
  use: (model: ScriptedModel) => Promise<T>,
  options?: ScriptedModelOptions,
): Promise<T> {
  const model = await scriptedModel(script, options);
  try {
    return await use(model);
  } finally {
    await model.close();
  }
}
