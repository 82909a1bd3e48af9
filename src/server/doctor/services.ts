/** The other services that the configuration names: each is used as the server would use it, without leaving anything. */
import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import type { Options } from '../../options/table.ts';
import { isLoopback, smtpServer } from '../../outbound/mail/smtp-options.ts';
import { assertServersKeep } from '../../runtime/cluster/nats-servers.ts';
import { sentenceOf, withServers } from '../cluster/attend.ts';
import { addressOf } from '../cluster/cluster-logs.ts';
import { assertMediaShared } from '../cluster/shared-media.ts';
import { type Examined, nameOf, originOf } from './examined.ts';
import { type Finding, good, problem, reasonOf, skipped } from './findings.ts';

const translationMilliseconds = 5_000;
const securePort = 443;

/** No mail is sent. */
export async function checkMail(examined: Examined): Promise<Finding[]> {
  const { smtpUrl } = examined.options;
  if (smtpUrl === undefined) return [skipped('No mail server is configured: mails are written into files.')];
  const { Smtp } = await import('../../outbound/mail/smtp.ts');
  const smtp = new Smtp(smtpServer(smtpUrl, nameOf(originOf(examined))));
  const server = smtp.name;
  const result = await smtp.greet();
  if (result.kind === 'unanswered') return [problem('smtpUnreachable', { server, reason: result.detail })];
  if (result.kind === 'refused') {
    const { stage, code, response: reason } = result;
    return [problem('smtpRefused', { server, stage, code, reason })];
  }
  if (result.isEncrypted) return [good(`${server} takes mails over TLS.`)];
  return [isLoopback(nameOf(new URL(smtpUrl))) ? good(`${server} takes mails.`) : problem('smtpInTheOpen', { server })];
}

/** Writes, reads and deletes a small object in each bucket. */
export async function checkBuckets({ options }: Examined): Promise<Finding[]> {
  const media = bucketOf(options);
  if (media === undefined) return [skipped('No bucket is configured: media are in a folder.')];
  const { S3Bucket } = await import('../../outbound/s3/s3-bucket.ts');
  const bucket = new S3Bucket(media);
  try {
    await tryBucket(bucket);
    return [good(`The bucket ${media.bucket} takes, gives and deletes an object.`)];
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return [problem('bucketUnusable', { purpose: 'media', reason: reasonOf(cause) })];
  } finally {
    await bucket.close();
  }
}

function bucketOf(options: Options) {
  const { mediaS3Endpoint: endpoint, mediaS3Region: region, mediaS3Bucket: bucket } = options;
  const { mediaS3AccessKey: accessKeyId, mediaS3SecretKey: secretAccessKey, mediaS3PathStyle: pathStyle } = options;
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    region,
    bucket,
    pathStyle,
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
  };
}

async function tryBucket(bucket: import('../../outbound/s3/s3-bucket.ts').S3Bucket): Promise<void> {
  const name = `murmuration-doctor-${randomUUID()}`;
  const content = Buffer.from(name);
  await bucket.put(name, content.byteLength, Readable.from([content]), { 'content-type': 'text/plain' });
  try {
    const { body } = await bucket.bytes(name, 0, content.byteLength);
    if ((await body.text()) !== name) throw new Error('what was read is not what was written');
  } finally {
    await bucket.delete(name);
  }
}

export async function checkTranslation({ options }: Examined): Promise<Finding[]> {
  const { translationOrigin: origin, translationKey: key } = options;
  if (origin === undefined) return [skipped('No LibreTranslate server is configured.')];
  const { LibreTranslate } = await import('../../outbound/translation/libre-translate.ts');
  const translator = new LibreTranslate({ origin, key, timeoutMilliseconds: translationMilliseconds });
  try {
    const languages = await translator.languages();
    return [good(`${origin} translates ${languages.size} languages.`)];
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return [problem('translationUnusable', { origin, reason: reasonOf(cause) })];
  } finally {
    await translator.close();
  }
}

/** Those of apps are known to their makers; those in one's own network are named by the operator. */
export async function checkPush({ options }: Examined, signal: AbortSignal): Promise<Finding[]> {
  const hosts = options.pushPrivateHosts;
  if (hosts.length === 0) return [skipped('No push server in the own network is configured.')];
  const reasons = await Promise.all(hosts.map((host) => unreachable(host, signal)));
  const findings = hosts.flatMap((host, index) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [problem('pushHostUnknown', { host, reason })];
  });
  return findings.length > 0 ? findings : [good(`${hosts.join(', ')} can be reached.`)];
}

async function unreachable(host: string, signal: AbortSignal): Promise<string | undefined> {
  const url = URL.parse(`https://${host}`);
  if (url === null) return 'it is no name of a host';
  try {
    const { address } = await lookup(nameOf(url));
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ host: address, port: Number(url.port) || securePort, signal }, () => {
        socket.destroy();
        resolve();
      });
      socket.once('error', reject);
    });
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

export async function checkCluster({ options }: Examined): Promise<Finding[]> {
  const address = addressOf(options);
  if (address === undefined) return [skipped('No cluster is configured.')];
  try {
    assertMediaShared(options);
    await withServers(address, (client) => assertServersKeep(client, options.clusterReplicas));
    return [good(`${options.clusterReplicas} NATS servers or more keep what they confirm.`)];
  } catch (error) {
    return [problem('clusterUnusable', { sentence: sentenceOf(error) })];
  }
}
