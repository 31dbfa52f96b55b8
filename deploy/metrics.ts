import { Runtime } from '@temporalio/worker';

// Before anything makes a worker: a process has one runtime, and the first to install it says what it does.
const bindAddress = process.env['METRICS_ADDRESS'];
if (bindAddress) Runtime.install({ telemetryOptions: { metrics: { prometheus: { bindAddress } } } });
