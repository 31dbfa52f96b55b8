import js from '@eslint/js';
import ts from 'typescript-eslint';

/**
 * A folder says where its code may run, so each folder may import only what exists there.
 * `own` lists our folders and files that it may use, `packages` the packages.
 */
const OWN = [
  'agent',
  'tools',
  'workflows',
  'activities',
  'models',
  'testing',
  'client',
  'worker',
  'in-process',
  'workflow',
  'temporal',
  'cli',
  'config',
  'files',
  'http',
  'inbox',
  'mcp',
  'page-parts',
  'process',
  'tokens',
  'web',
  'webhooks',
];
const PACKAGES = [
  '@temporalio/*',
  'openai',
  'openai/*',
  'zod',
  'zod/*',
  'pino',
  'lru-cache',
  'hono',
  'hono/*',
  '@hono/*',
  'jose',
  'openid-client',
  'standardwebhooks',
  'prom-client',
  'rate-limiter-flexible',
  'ipaddr.js',
  '@modelcontextprotocol/*',
  '@modelcontextprotocol/*/*',
  'node:*',
];

function mayImport(folder, { own, packages }) {
  const denied = OWN.filter((name) => name !== folder && !own.includes(name));
  return {
    files: [`src/${folder}/**/*.{ts,tsx}`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: denied.flatMap((name) => [
                `../${name}`,
                `../${name}/*`,
                `../../${name}/*`,
                `**/src/${name}/*`,
              ]),
              message: `src/${folder} may import only: ${[...own, ...packages].join(', ') || 'itself'}.`,
            },
            {
              group: [...PACKAGES, ...packages.map((name) => `!${name}`)],
              message: `src/${folder} may import only: ${[...own, ...packages].join(', ') || 'itself'}.`,
            },
          ],
        },
      ],
    },
  };
}

export default ts.config(
  { ignores: ['lib/', 'coverage/', 'node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
        __dirname: 'readonly',
      },
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [ts.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/require-await': 'off',
      'max-lines': ['error', { max: 350 }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
        {
          selector: 'TSAsExpression > TSAsExpression > TSUnknownKeyword',
          message: 'No cast through unknown.',
        },
      ],
    },
  },
  mayImport('agent', { own: [], packages: [] }),
  mayImport('tools', { own: ['agent'], packages: ['zod', 'zod/*'] }),
  mayImport('workflows', { own: ['agent'], packages: ['@temporalio/workflow', '@temporalio/common'] }),
  mayImport('models', { own: ['agent'], packages: ['openai', 'openai/*', 'node:*'] }),
  mayImport('in-process', { own: ['agent', 'tools', 'models'], packages: [] }),
  mayImport('activities', {
    own: ['agent', 'tools', 'models', 'webhooks'],
    packages: [
      '@temporalio/activity',
      '@temporalio/common',
      '@temporalio/client',
      'lru-cache',
      'node:*',
      'zod',
    ],
  }),
  mayImport('temporal', {
    own: ['agent'],
    packages: ['@temporalio/common', '@temporalio/envconfig', 'node:*'],
  }),
  mayImport('client', {
    own: ['agent', 'tools', 'temporal'],
    packages: ['@temporalio/client', '@temporalio/common', 'lru-cache', 'node:*'],
  }),
  mayImport('process', { own: [], packages: ['node:*'] }),
  mayImport('files', { own: ['agent'], packages: ['node:*'] }),
  mayImport('config', { own: ['agent', 'files'], packages: ['zod', 'node:*'] }),
  mayImport('tokens', { own: ['agent', 'config'], packages: ['jose', 'node:*'] }),
  mayImport('webhooks', {
    own: ['agent', 'config', 'tokens'],
    packages: ['standardwebhooks', 'ipaddr.js', 'node:*'],
  }),
  // What the API and MCP both do with requests and responses.
  mayImport('web', { own: [], packages: [] }),
  // Pieces of pages that the API and the inbox both show.
  mayImport('page-parts', { own: ['agent'], packages: ['hono', 'hono/*'] }),
  mayImport('http', {
    own: ['agent', 'client', 'config', 'page-parts', 'tokens', 'web'],
    packages: [
      'hono',
      'hono/*',
      '@hono/*',
      'zod',
      'jose',
      'standardwebhooks',
      'prom-client',
      'rate-limiter-flexible',
      'pino',
      'node:*',
    ],
  }),
  mayImport('mcp', {
    own: ['agent', 'tools', 'models', 'client', 'config', 'web'],
    packages: ['@modelcontextprotocol/*', '@modelcontextprotocol/*/*', 'zod', 'jose', 'lru-cache', 'node:*'],
  }),
  mayImport('inbox', {
    own: ['agent', 'client', 'config', 'page-parts', 'tokens', 'http'],
    packages: ['hono', 'hono/*', 'zod', 'jose', 'openid-client', 'node:*'],
  }),
  mayImport('worker', {
    own: [
      'agent',
      'tools',
      'models',
      'activities',
      'config',
      'process',
      'temporal',
      'webhooks',
      'workflow',
      'workflows',
    ],
    packages: ['@temporalio/*', 'pino', 'node:*'],
  }),
  mayImport('testing', {
    own: ['agent', 'files', 'temporal', 'worker'],
    packages: ['@temporalio/*', 'openai', 'openai/*', 'node:*'],
  }),
);
