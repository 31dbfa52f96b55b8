import type { PendingResult } from '../../../src';

export declare const halted: PendingResult;
export declare const runId: string;
