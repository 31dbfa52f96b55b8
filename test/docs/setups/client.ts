import type { HoldpointClient } from '../../../src/client';

export declare const client: HoldpointClient;
