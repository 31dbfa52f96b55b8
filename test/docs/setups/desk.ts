import type { Agent } from '../../../src';

export declare const desk: Agent;
