import { test } from 'vitest';
import { startTestServer } from '../../support/server.ts';
test('probe', async () => {
  let bad = 0;
  for (let round = 0; round < 12; round++) {
    const server = await startTestServer();
    const users = await Promise.all(['alice','bob','carol','dave'].map((n) => server.createUser(n)));
    const first = await Promise.all(users.map(async (u) => (await server.fetch('/api/v1/accounts/verify_credentials', { token: u.token })).status));
    if (first.some((s) => s !== 200)) { bad++; 
      console.log(round, users.map((u) => u.token), first);
      await new Promise((r) => setTimeout(r, 500));
      console.log('later', await Promise.all(users.map(async (u) => { const r = await server.fetch('/api/v1/accounts/verify_credentials', { token: u.token }); return [r.status, await r.text()].join(' ').slice(0, 100); })));
      console.log(await server.run('accounts', 'show', 'alice'));
      console.log(server.output());
    }
    await server.stop();
  }
  console.log('bad', bad);
}, 180_000);
