import { ApplicationFailure } from '@temporalio/common';
import { notStartedText } from '../../src/workflows/activity-failure';

test('R5: the model reads that a tool is not known, and of one whose server is away that it is', () => {
  const notStarted = (message: string, data: object): ApplicationFailure =>
    ApplicationFailure.create({ type: 'Holdpoint.Tool.NotStarted', message, details: [data] });
  expect(notStartedText(notStarted('no such tool here', { tool: 'look' }), 'look')).toBe(
    'Unknown tool: look',
  );
  const away = notStarted('The MCP server files could not be reached for read: gone', {
    server: 'files',
    tool: 'read',
  });
  expect(notStartedText(away, 'files__read')).toBe(
    'files__read was not started: The MCP server files could not be reached for read: gone',
  );
});
