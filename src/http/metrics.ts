import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the server counts. Labels hold route patterns, never ids or tokens. */
export interface Metrics {
  readonly registry: Registry;
  request(
    labels: { readonly method: string; readonly route: string; readonly status: number },
    seconds: number,
  ): void;
  /** An answer: its channel, and `accepted` or the type of its refusal. */
  answer(channel: string, outcome: string): void;
}

export function createMetrics(waits: () => number, isOutdated: () => boolean): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'holdpoint_http_requests_total',
    help: 'Requests by route and status.',
    labelNames,
    registers,
  });
  const seconds = new Histogram({
    name: 'holdpoint_http_request_seconds',
    help: 'Time until the response begins, waits that were asked for included.',
    labelNames: ['method', 'route'] as const,
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });
  const answers = new Counter({
    name: 'holdpoint_http_answers_total',
    help: 'Answers by channel and outcome.',
    labelNames: ['channel', 'outcome'] as const,
    registers,
  });
  new Gauge({
    name: 'holdpoint_http_waits',
    help: 'Waits and event streams that are open.',
    registers,
    collect() {
      this.set(waits());
    },
  });
  new Gauge({
    name: 'holdpoint_http_config_outdated',
    help: '1 while the configuration file cannot be read or is not valid, and an earlier version is in use.',
    registers,
    collect() {
      this.set(isOutdated() ? 1 : 0);
    },
  });
  return {
    registry,
    request({ method, route, status }, took) {
      requests.inc({ method, route, status: String(status) });
      seconds.observe({ method, route }, took);
    },
    answer: (channel, outcome) => answers.inc({ channel, outcome }),
  };
}
