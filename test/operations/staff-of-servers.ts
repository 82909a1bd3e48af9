/** For staff.test.ts: what the operations about other servers, besides their rules, are called with. */
const server = { domain: 'birds.example' };

export const serverInputs: Readonly<Record<string, () => unknown>> = {
  clearDeliveryFailures: () => server,
  listServers: () => ({ limit: 5, offset: 0 }),
  purgeServer: () => server,
  restartDelivery: () => server,
  showServer: () => server,
  stopDelivery: () => server,
};
