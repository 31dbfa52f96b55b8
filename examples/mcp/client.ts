/** Calls the tools of a server by their definitions: what goes in and comes out has their types. */
import { callTool, connectMcp } from 'holdpoint/mcp';
import { serveHttp } from './http-server';
import { book, greet } from './tools';

async function main(): Promise<void> {
  const server = await serveHttp(0);
  const connection = await connectMcp({
    transport: { type: 'http', url: server.url },
    credentials: () => ({ authorization: `Bearer ${process.env['GREETINGS_TOKEN'] ?? 'example-token'}` }),
    capabilities: { elicitation: { form: {} } },
  });

  const greeting = await callTool(connection, greet, { name: 'Ada' });
  if (greeting.kind === 'complete') console.log(greeting.output);

  const input = { day: new Date('2027-03-01') };
  const round = await callTool(connection, book, input);
  if (round.kind === 'input') {
    const { requestState } = round;
    const booked = await callTool(connection, book, input, {
      inputResponses: { guests: { action: 'accept', content: { guests: 4 } } },
      ...(requestState !== undefined && { requestState }),
    });
    if (booked.kind === 'complete')
      console.log(`${booked.output.day.toDateString()}: ${booked.output.guests} guests`);
  }

  await connection.close();
  await server.close();
}

void main();
