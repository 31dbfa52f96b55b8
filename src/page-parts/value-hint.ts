import type { Json } from '../agent/json';
import { parseInstant } from '../agent/instant';

/**
 * What a bare value means, beside the value and never in its place: an amount in a currency's larger unit, an instant
 * as a date. `undefined` where that would be a guess.
 */
export function valueHint(
  name: string,
  value: Json | undefined,
  beside: Readonly<Record<string, unknown>>,
): string | undefined {
  if (typeof value === 'string') return instantHint(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const currency = currencyIn(beside);
  if (/(cents|minor_?units?)$/i.test(name) && Number.isSafeInteger(value))
    return moneyHint(value / 100, currency);
  return currency !== undefined && /(amount|price|total|cost|fee|balance)$/i.test(name)
    ? moneyHint(value, currency)
    : undefined;
}

/** Always in UTC and in words: `01/02` means two days. */
export function spokenInstant(at: number): string {
  return `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;
}

function instantHint(text: string): string | undefined {
  const at = parseInstant(text);
  return at === undefined ? undefined : `= ${spokenInstant(at)}`;
}

function currencyIn(beside: Readonly<Record<string, unknown>>): string | undefined {
  const currency = beside['currency'] ?? beside['currencyCode'];
  return typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : undefined;
}

function moneyHint(amount: number, currency: string | undefined): string {
  const text = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 20 }).format(
    amount,
  );
  return currency === undefined ? `= ${text}` : `= ${text} ${currency}`;
}
