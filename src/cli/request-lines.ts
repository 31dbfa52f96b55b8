import type { Json } from '../agent/json';
import { isRecord } from '../agent/json';
import { approversOf, tallyOf } from '../agent/policy';
import { isRelayRequest, type RelayCall } from '../agent/relay';
import type { Request } from '../agent/request';
import { argumentLines, indented } from './argument-lines';
import { spokenDeadline } from '../agent/spoken-time';
import type { Style } from './style';
import { visible, visibleJson, visibleLine } from '../agent/visible-text';

/** All that somebody needs to decide: nothing of what would run is cut. `open` are its calls without a result. */
export function requestLines(
  request: Request,
  open: readonly RelayCall[],
  style: Style,
  now = Date.now(),
): string[] {
  const { id, kind, prompt, url, expiresAt, path } = request;
  const deadline = spokenDeadline(expiresAt, now);
  const when = deadline === '' ? '' : `, expires ${deadline === 'overdue' ? 'now' : deadline}`;
  return [
    `${style.bold(visibleLine(kind))} ${style.dim(visibleLine(id) + when)}`,
    ...indented([
      ...visible(prompt).split('\n'),
      ...(url === undefined ? [] : [`at ${visibleLine(url)}`]),
      ...(path === undefined ? [] : [`asked by ${path.map(visibleLine).join(' > ')}`]),
      ...policyLines(request, now),
      ...subjectLines(request, open, style),
    ]),
  ];
}

function subjectLines(request: Request, open: readonly RelayCall[], style: Style): string[] {
  if (isRelayRequest(request))
    return open.flatMap(({ id, name, input, outputSchema }) => [
      `${style.cyan(visibleLine(name))} ${style.dim(`call ${visibleLine(id)}`)}`,
      ...indented(argumentLines(input)),
      ...(outputSchema ? [style.dim(`  its result is to fit ${visibleJson(outputSchema)}`)] : []),
    ]);
  const data = request.data ?? {};
  if (request.kind === 'approval') return approvalLines(data, style);
  return Object.keys(data).length === 0 ? [] : argumentLines(data);
}

/** Whom it asks, how many have agreed, and what time will bring. */
function policyLines({ policy }: Request, now: number): string[] {
  if (!policy) return [];
  const { votes = [], escalateAt, escalatedAt, escalateTo = [] } = policy;
  const tally = tallyOf(policy);
  const who = approversOf(policy);
  return [
    ...(who === undefined ? [] : [`asks ${who.map(visibleLine).join(', ')}`]),
    ...(tally
      ? [
          `${tally.given} of ${tally.needed} approved${votes.map(({ by }) => `, ${visibleLine(by)}`).join('')}`,
        ]
      : []),
    ...(escalateAt === undefined || escalatedAt !== undefined
      ? []
      : [`asks ${escalateTo.map(visibleLine).join(', ')}, too, ${spokenDeadline(escalateAt, now)}`]),
  ];
}

function approvalLines({ tool, description, hints, input, text }: Record<string, unknown>, style: Style) {
  const effects = isRecord(hints) ? Object.keys(hints).filter((name) => hints[name] === true) : [];
  return [
    `${style.cyan(nameOf(tool))} ${typeof description === 'string' ? visibleLine(description) : ''}`.trimEnd(),
    ...indented(argumentLines(input as Json)),
    ...(effects.length === 0 ? [] : [`The tool says of itself: ${effects.map(visibleLine).join(', ')}.`]),
    ...(typeof text === 'string' && text !== ''
      ? ['The agent said:', ...indented(visible(text).split('\n'))]
      : []),
  ];
}

function nameOf(tool: unknown): string {
  return typeof tool === 'string' ? visibleLine(tool) : visibleJson(tool);
}
