import { onStopSignal } from '../../src/process/stop-signal';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
});

const interrupt = (): boolean => process.emit('SIGINT');

test('the first signal is told once, with the echoes that npm sends after it', () => {
  const first = jest.fn();
  onStopSignal(['SIGINT', 'SIGTERM'], first);
  interrupt();
  interrupt();
  jest.advanceTimersByTime(999);
  process.emit('SIGTERM');
  expect(first).toHaveBeenCalledTimes(1);
});

test('a later signal finds nobody who listens, so that it ends the process', () => {
  onStopSignal(['SIGINT', 'SIGTERM'], () => undefined);
  interrupt();
  expect(process.listenerCount('SIGTERM')).toBe(1);
  jest.advanceTimersByTime(1_000);
  expect([process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')]).toEqual([0, 0]);
});

test('each later signal is told where somebody wants to know', () => {
  const first = jest.fn();
  const again = jest.fn();
  onStopSignal(['SIGINT'], first, again);
  interrupt();
  interrupt();
  expect(again).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1_000);
  interrupt();
  interrupt();
  expect([first.mock.calls.length, again.mock.calls.length]).toEqual([1, 2]);
});

test.each([
  ['without', undefined],
  ['with', () => undefined],
])('what stops listening leaves time for the echoes of a signal that has come, %s `again`', (_, again) => {
  const off = onStopSignal(['SIGINT'], () => undefined, again);
  interrupt();
  off();
  expect(process.listenerCount('SIGINT')).toBe(1);
  jest.advanceTimersByTime(1_000);
  expect(process.listenerCount('SIGINT')).toBe(0);
});

test('what stops listening before a signal has come does so at once', () => {
  const first = jest.fn();
  onStopSignal(['SIGINT'], first)();
  expect(interrupt()).toBe(false);
  expect(first).not.toHaveBeenCalled();
});
