import { defineAgent } from '../../src/tools';

export const agents = [defineAgent({ name: 'desk', model: 'scripted' })];
