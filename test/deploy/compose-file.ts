import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { interpolate, type Variables } from './interpolate';

/** The part of the Compose specification that our files use. A key that is not here is refused, so a typo is. */
const conditions = z.enum(['service_healthy', 'service_completed_successfully']);
const duration = z.string().regex(/^\d+s$/);

const serviceSchema = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  restart: z.string().optional(),
  networks: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.strictObject({ condition: conditions })).default({}),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  healthcheck: z
    .strictObject({
      test: z.tuple([z.literal('CMD')]).rest(z.string()),
      interval: duration,
      timeout: duration,
      retries: z.int(),
      start_period: duration,
    })
    .optional(),
  stop_grace_period: duration.optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
});

const fileSchema = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean().optional() }).nullable()).optional(),
  volumes: z.record(z.string(), z.null()).optional(),
  'x-worker': z.unknown().optional(),
});

export type ComposeFile = z.infer<typeof fileSchema>;
export type ComposeService = z.infer<typeof serviceSchema>;

/** Reads a compose file with `variables` put in. Without them, variables stay as they are written. */
export function readCompose(path: string, variables?: Variables): ComposeFile {
  const raw: unknown = parse(readFileSync(path, 'utf8'), { merge: true });
  return fileSchema.parse(variables ? filled(raw, variables) : raw);
}

function filled(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((item) => filled(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, variables)]));
}

/** The services in an order in which each comes after those that it waits for. */
export function startOrder({ services }: ComposeFile): string[] {
  const ordered: string[] = [];
  const add = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw new Error(`Services wait for each other: ${[...path, name].join(' → ')}`);
    if (ordered.includes(name)) return;
    const service = services[name];
    if (!service) throw new Error(`${path.at(-1) ?? 'The file'} waits for ${name}, which is no service`);
    for (const needed of Object.keys(service.depends_on)) add(needed, [...path, name]);
    ordered.push(name);
  };
  for (const name of Object.keys(services)) add(name, []);
  return ordered;
}
