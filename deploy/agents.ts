/** The agents of the worker in docker-compose.yml. Put your own here. */
import './metrics';
import { refundDesk } from '../examples/refund-desk/agent';

export const agents = [refundDesk];
