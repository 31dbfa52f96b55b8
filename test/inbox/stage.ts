import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Agent } from '../../src/agent/agent';
import type { JsonObject } from '../../src/agent/json';
import type { RunResult } from '../../src/agent/result';
import type { HoldpointClient } from '../../src/client';
import type { ScriptedTurn } from '../../src/testing';
import { newId, openDesk, pendingId, type Desk } from '../client/desk';
import { quietRuntime } from '../support/quiet-runtime';
import { until } from '../support/until';
import { clerk } from './agents';
import { hasBrowser, openBrowser, openTab, signIn, type Tab } from './browser';
import { openInbox, type InboxServer } from './inbox-server';

/** An inbox over a desk with a worker, and a browser to look at it. */
export interface Stage {
  readonly desk: Desk;
  /** Of the tenant that all people of the inbox have. */
  readonly client: HoldpointClient;
  readonly tenant: string;
  readonly inbox: InboxServer;
  /** Ana's, signed in. */
  readonly page: Page;
  /** Somebody else, signed in; closed after the test. */
  tabOf(name: string, options?: BrowserContextOptions): Promise<Page>;
  /** Somebody who is not signed in; closed after the test. */
  visitor(options?: BrowserContextOptions): Promise<Page>;
  /** A run that waits, and the link of what it waits on. */
  halted(turn: ScriptedTurn, ...rest: readonly ScriptedTurn[]): Promise<Halted>;
  /** The same, once the lists have it. */
  listed(turn: ScriptedTurn, ...rest: readonly ScriptedTurn[]): Promise<Halted>;
}

export interface Halted {
  readonly runId: string;
  readonly result: RunResult;
  readonly link: string;
}

/** Opens the stage for a file's tests. After each of them no page may have done what no page may do. */
export function useStage(agents: readonly Agent[] | Promise<readonly Agent[]> = [clerk]): Stage {
  const opened: { desk?: Desk; inbox?: InboxServer; browser?: Browser; tab?: Tab } = {};
  const others: Tab[] = [];
  // What other files left on the server is nobody's here.
  const tenant = newId();
  const at = <Name extends keyof typeof opened>(name: Name): NonNullable<(typeof opened)[Name]> => {
    const value = opened[name];
    if (value === undefined) throw new Error(`The stage has no ${name} yet`);
    return value;
  };
  beforeAll(async () => {
    if (!hasBrowser) return;
    quietRuntime();
    opened.desk = await openDesk(await agents);
    opened.inbox = await openInbox({ client: opened.desk.client }, tenant);
    opened.browser = await openBrowser();
    opened.tab = await openTab(opened.browser);
    await signIn(opened.tab.page, opened.inbox.url, opened.inbox.keyOf('ana'));
  });
  afterEach(async () => {
    const tabs = [...(opened.tab ? [opened.tab] : []), ...others];
    const offences = tabs.flatMap((tab) => tab.offences.splice(0));
    await Promise.all(others.splice(0).map((tab) => tab.close()));
    expect({ faults: opened.inbox?.faults ?? [], offences }).toEqual({ faults: [], offences: [] });
  });
  afterAll(async () => {
    await opened.browser?.close();
    await opened.inbox?.close();
    await opened.desk?.close();
  });
  const ofTenant = () => at('desk').client.forTenant(tenant);
  const halted = async (...turns: readonly ScriptedTurn[]): Promise<Halted> => {
    const result = await ofTenant().run('clerk', at('desk').play([...turns, { content: 'Done.' }]));
    const { runId } = result;
    const link = `${at('inbox').url}/requests/${encodeURIComponent(runId)}/${encodeURIComponent(pendingId(result))}`;
    return { runId, result, link };
  };
  return {
    get desk() {
      return at('desk');
    },
    get client() {
      return ofTenant();
    },
    tenant,
    get inbox() {
      return at('inbox');
    },
    get page() {
      return at('tab').page;
    },
    async visitor(options) {
      const tab = await openTab(at('browser'), options);
      others.push(tab);
      return tab.page;
    },
    async tabOf(name, options) {
      const tab = await openTab(at('browser'), options);
      others.push(tab);
      await signIn(tab.page, at('inbox').url, at('inbox').keyOf(name));
      return tab.page;
    },
    halted,
    async listed(...turns) {
      const run = await halted(...turns);
      await until('it is listed', async () =>
        (await ofTenant().requests({})).some(({ runId }) => runId === run.runId),
      );
      return run;
    },
  };
}

/** A turn with one call. */
export function calling(name: string, args: JsonObject, content?: string): ScriptedTurn {
  return { ...(content !== undefined && { content }), toolCalls: [{ id: 'c', name, arguments: args }] };
}

/** A turn that asks a person in the shape of a request. */
export function asking(request: JsonObject): ScriptedTurn {
  return calling('ask', request);
}
