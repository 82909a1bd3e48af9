/** The options of a server whose logs are on other machines: rows of the table. */
import { optionLimits } from './limits.ts';
import { option } from './option.ts';
import { lineOfText, natsServers, onOff, webOrigin, wholeNumber } from './values.ts';

export const clusterOptions = [
  option({
    name: 'cluster',
    environment: 'MURMURATION_CLUSTER',
    schema: natsServers,
    default: undefined,
    isSecret: true,
    sentence:
      'NATS servers that keep the logs of the partitions, such as nats://user:password@one.example.org,nats://two.example.org; tls:// for an encrypted connection. "murmuration cluster init" fills them from a stopped server. Unset, the data folder is all there is. A secret where it has a password.',
  }),
  option({
    name: 'clusterCredentials',
    environment: 'MURMURATION_CLUSTER_CREDENTIALS',
    schema: lineOfText,
    default: undefined,
    sentence: 'A file of NATS credentials (.creds), in place of a user name and a password.',
  }),
  option({
    name: 'clusterAuthorities',
    environment: 'MURMURATION_CLUSTER_AUTHORITIES',
    schema: lineOfText,
    default: undefined,
    sentence:
      'A file with the certificates of those who may sign the certificates of the NATS servers, where the system does not trust them. The connection is then encrypted.',
  }),
  option({
    name: 'clusterReplicas',
    environment: 'MURMURATION_CLUSTER_REPLICAS',
    schema: wholeNumber(1, optionLimits.clusterReplicasMax),
    default: 3,
    unit: 'servers',
    sentence:
      'How many NATS servers keep each log: 3 or 5 survive the loss of one or two of them, 1 none. Decided by "murmuration cluster init".',
  }),
  option({
    name: 'clusterAppends',
    environment: 'MURMURATION_CLUSTER_APPENDS',
    schema: wholeNumber(1, optionLimits.clusterAppendsMax),
    default: 1,
    unit: 'appends',
    sentence:
      'How many batches of a partition may be on their way to its log at a time. With 1 what comes meanwhile becomes the next batch, which is quickest where the disks of the NATS servers take most of the time; with 2 to 4 nothing waits for the batch before, where the network does.',
  }),
  option({
    name: 'clusterNode',
    environment: 'MURMURATION_CLUSTER_NODE',
    schema: webOrigin,
    default: undefined,
    sentence:
      'Where the other nodes of the cluster reach the port of this one, such as http://one.internal:3000. Nodes that stand by tell it to clients.',
  }),
  option({
    name: 'clusterPassesOn',
    environment: 'MURMURATION_CLUSTER_PASS_ON',
    schema: onOff,
    default: false,
    sentence:
      'Whether this node, while it stands by, passes connections on to the node that serves, where that has MURMURATION_CLUSTER_NODE. Otherwise they get 503. The address of this node then belongs to the trusted proxies of the other ones.',
  }),
  option({
    name: 'clusterSnapshots',
    environment: 'MURMURATION_CLUSTER_SNAPSHOTS',
    schema: lineOfText,
    default: undefined,
    sentence:
      'Where nodes that stand by keep snapshots, behind which the logs are truncated: a folder that all nodes reach, or s3://BUCKET/PREFIX at the service of MURMURATION_BACKUP_S3_ENDPOINT. Unset, the logs grow without end.',
  }),
  option({
    name: 'clusterSnapshotHours',
    environment: 'MURMURATION_CLUSTER_SNAPSHOT_HOURS',
    schema: wholeNumber(1, optionLimits.clusterSnapshotHoursMax),
    default: 6,
    unit: 'hours',
    sentence: 'After how long a node that stands by makes a snapshot.',
  }),
  option({
    name: 'clusterSnapshotMegabytes',
    environment: 'MURMURATION_CLUSTER_SNAPSHOT_MEGABYTES',
    schema: wholeNumber(1, optionLimits.clusterSnapshotMegabytesMax),
    default: 256,
    unit: 'MB',
    sentence: 'After how much that was written to the logs it makes one earlier.',
  }),
] as const;
