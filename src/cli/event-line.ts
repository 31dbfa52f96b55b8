import type { RunEvent } from '../agent/event';
import type { ProgressEvent } from '../agent/progress';
import type { Style } from './style';
import { visibleLine } from '../agent/visible-text';

interface Described {
  readonly what: string;
  readonly how: string;
}

/** One event of a run as a line: when it ended, what it was, and how it went. */
export function eventLine(event: RunEvent | ProgressEvent, style: Style): string {
  const time = style.dim((event.type === 'progress' ? event.at : event.endedAt).slice(11, 19));
  const { what, how } = event.type === 'progress' ? reported(event) : described(event, style);
  return `${time}  ${style.cyan(event.type.padEnd(8))}  ${what}${how === '' ? '' : `  ${how}`}`;
}

function reported({ tool, callId, progress, total, message }: ProgressEvent): Described {
  const amount = `${progress}${total === undefined ? '' : ` of ${total}`}`;
  const said = message === undefined ? '' : `: ${visibleLine(message)}`;
  return { what: `${visibleLine(tool)} call ${visibleLine(callId)}`, how: `${amount}${said}` };
}

function described(event: RunEvent, style: Style): Described {
  const took = style.dim(
    `${((Date.parse(event.endedAt) - Date.parse(event.startedAt)) / 1000).toFixed(1)} s`,
  );
  switch (event.type) {
    case 'model': {
      const { model, usage, finishReason } = event;
      return {
        what: visibleLine(model),
        how: `${usage.totalTokens} tokens, ${visibleLine(finishReason)}  ${took}`,
      };
    }
    case 'tool': {
      const { name, callId, isError, pending } = event;
      const how = pending ? style.yellow('waits') : isError ? style.red('error') : 'ok';
      return { what: `${visibleLine(name)} call ${visibleLine(callId)}`, how: `${how}  ${took}` };
    }
    case 'request': {
      const { kind, requestId, callIds } = event;
      return {
        what: `${visibleLine(kind)} ${visibleLine(requestId)}`,
        how: `for ${callIds.map(visibleLine).join(', ')}`,
      };
    }
    case 'answer': {
      const { requestId, ok, resolved, via } = event;
      const partly = resolved ? '' : ', some of its calls are still open';
      return { what: visibleLine(requestId), how: `${ok ? 'yes' : 'no'} (${via})${partly}` };
    }
    case 'run':
      return { what: event.status, how: '' };
  }
}
