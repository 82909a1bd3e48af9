/**
 * Everything that `murmuration doctor` can find wrong: what it says, what that means, and what to do. `wrong` does harm now;
 * a `warning` will, or may.
 */

export type Grade = 'warning' | 'wrong';

interface Problem {
  readonly grade: Grade;
  /** Names in braces are filled in. */
  readonly says: string;
  readonly means: string;
  readonly todo: string;
}

const proxyGuide = 'See docs/operators/proxies.md; the README has a configuration for nginx.';

export const problems = {
  checkTooSlow: {
    grade: 'warning',
    says: 'No result after {seconds} seconds.',
    means: 'What was asked does not answer, or not in time; the check was ended.',
    todo: 'Look whether a firewall drops packets on the way, and whether the machine is overloaded.',
  },
  checkFailed: {
    grade: 'wrong',
    says: 'The check itself failed: {reason}.',
    means: 'What it looks at is in a state that nobody has thought of.',
    todo: 'Read the reason; if it is not about your machine, report it as a fault of Murmuration.',
  },

  optionInvalid: {
    grade: 'wrong',
    says: '{sentence}',
    means: 'The server does not start with this configuration, and the other checks cannot know what to look at.',
    todo: 'Correct the name or the value; murmuration --help lists every option with its values.',
  },
  secretReadable: {
    grade: 'warning',
    says: '{file} holds secrets ({options}), and others on this machine can read it.',
    means: 'Whoever has an account on this machine can read the passwords and keys in it.',
    todo: 'chmod 600 the file, and give it to the user of the server.',
  },
  folderReadable: {
    grade: 'wrong',
    says: 'Others on this machine can look into the data folder {folder}.',
    means: 'It holds private posts and the keys of all accounts.',
    todo: 'chmod 700 the folder. A start of the server does that too.',
  },
  originIsDefault: {
    grade: 'warning',
    says: 'No public origin is configured: the server calls itself {origin}.',
    means: 'Nobody outside this machine can use it, and the name is part of every account once the server has started.',
    todo: 'Set MURMURATION_ORIGIN to the https address before the first start.',
  },
  originDiffers: {
    grade: 'wrong',
    says: 'The configuration says {configured}, and the accounts in the data folder belong to {stored}.',
    means: 'The server refuses to start: an origin cannot be changed later.',
    todo: 'Set MURMURATION_ORIGIN (and MURMURATION_DOMAIN) back, or use the right data folder.',
  },
  dataFolderUnusable: {
    grade: 'wrong',
    says: '{sentence}',
    means: 'What is stored cannot be read, so that keys and federation were not checked.',
    todo: 'Run the doctor as the user of the server, with its MURMURATION_DATA_DIR.',
  },

  nameUnknown: {
    grade: 'wrong',
    says: 'The name {host} has no address: {reason}.',
    means: 'Neither people nor other servers find this server.',
    todo: 'Add an A record (and AAAA, if the machine has IPv6) for the name at your DNS provider, and wait until it is known.',
  },
  nameOnlyHere: {
    grade: 'warning',
    says: 'This machine knows {host} by itself (hosts file or local DNS), and the DNS does not: {reason}.',
    means: 'Others will not find the server, unless this is a closed network.',
    todo: 'Add an A or AAAA record for the name at your DNS provider.',
  },
  addressPrivate: {
    grade: 'warning',
    says: '{host} leads to {address}, which cannot be reached from the internet.',
    means: 'Only machines of your own network reach this server.',
    todo: 'Let the name lead to the public address. Inside a closed network this is as it should be.',
  },
  addressUnanswered: {
    grade: 'wrong',
    says: '{address} of {host} does not answer on port {port}: {reason}.',
    means:
      'Who is given this address cannot reach the server; with several addresses some people can and others cannot.',
    todo: 'Open the port in the firewall and let the proxy listen on this address, or remove its DNS record.',
  },
  healthBad: {
    grade: 'wrong',
    says: '{address} answers /health with {status} instead of 200.',
    means:
      '502, 503 or 504 come from a proxy that does not reach the server, or from a server that cannot work; 404 from another site.',
    todo: 'Look at the log of the proxy and of the server, and at murmuration status.',
  },

  noTls: {
    grade: 'warning',
    says: 'The origin {origin} is without TLS.',
    means: 'Other servers do not federate with it, and passwords travel in the open.',
    todo: 'For a public server: an https origin, and a proxy or a certificate for it.',
  },
  tlsFails: {
    grade: 'wrong',
    says: 'There is no TLS connection to {host}: {reason}.',
    means: 'Neither people nor other servers can connect.',
    todo: 'Look whether the proxy listens with TLS on this port and has a certificate.',
  },
  certificateExpired: {
    grade: 'wrong',
    says: 'The certificate of {host} has expired on {date}.',
    means: 'Browsers warn, apps fail, and other servers deliver nothing any more.',
    todo: 'Renew it and let the proxy load it; find out why it was not renewed by itself (certbot renew --dry-run).',
  },
  certificateExpires: {
    grade: 'warning',
    says: 'The certificate of {host} expires on {date}, in {days} days.',
    means: 'Automatic renewal usually happens thirty days before: it may not work.',
    todo: 'Look at the log of what renews it (certbot, Caddy, acme.sh).',
  },
  certificateEarly: {
    grade: 'wrong',
    says: 'The certificate of {host} is valid from {date} on only.',
    means: 'It was made by a machine whose clock is ahead, or the clock of this one is behind.',
    todo: 'Look at the check of the clock.',
  },
  certificateOfOther: {
    grade: 'wrong',
    says: 'The certificate is not for {host}: it names {names}.',
    means: 'Browsers warn, apps fail, and other servers refuse to connect.',
    todo: 'Get a certificate that names this host, and look whether the proxy chooses the right one for it (server_name).',
  },
  certificateUntrusted: {
    grade: 'wrong',
    says: 'The certificate of {host} is not trusted: {reason}.',
    means:
      'Its chain is incomplete or its authority unknown: other servers refuse to connect, even where browsers do not.',
    todo: 'Give the proxy the full chain (fullchain.pem instead of cert.pem) of a public authority. In a closed network name its authority by NODE_EXTRA_CA_CERTS.',
  },

  clockWrong: {
    grade: 'wrong',
    says: 'The clock of this machine is {seconds} seconds {direction}, by {servers}.',
    means:
      'Signatures carry the time: others refuse what this server sends, codes of authenticator apps fail, and ids tell a wrong time.',
    todo: 'Switch on the synchronisation of time (timedatectl set-ntp true, or chrony).',
  },
  clockOff: {
    grade: 'warning',
    says: 'The clock of this machine is {seconds} seconds {direction}, by {servers}.',
    means: 'Codes of authenticator apps begin to fail; signatures are still accepted.',
    todo: 'Switch on the synchronisation of time (timedatectl set-ntp true, or chrony).',
  },

  diskFull: {
    grade: 'wrong',
    says: 'The disk of {folder} takes nothing more: {reason}.',
    means: 'Whatever writes is answered with 503.',
    todo: 'Make room now, then look at murmuration storage.',
  },
  diskNearlyFull: {
    grade: 'wrong',
    says: 'Only {free} are left on the disk of {folder}, of {size}.',
    means: 'When it is full, whatever writes is answered with 503.',
    todo: 'Make room, or move the data folder to a larger disk; murmuration storage says what takes the space.',
  },
  diskGettingFull: {
    grade: 'warning',
    says: '{free} are left on the disk of {folder}, of {size}.',
    means: 'Databases, copies of media and backups grow.',
    todo: 'Plan more space; murmuration storage says what takes it.',
  },
  diskFillsSoon: {
    grade: 'warning',
    says: 'The data folder grows by {rate} a day: the disk is full in some {days} days.',
    means: 'When it is full, whatever writes is answered with 503.',
    todo: 'See murmuration storage, MURMURATION_MEDIA_CACHE and MURMURATION_REMOTE_STATUS_DAYS.',
  },
  retentionLate: {
    grade: 'warning',
    says: 'Old posts of other servers are not forgotten: what was to begin at {since} has not ended.',
    means: 'The database grows although MURMURATION_REMOTE_STATUS_DAYS should bound it.',
    todo: 'Look for "forget statuses" in murmuration dead-letters list, and for errors of network threads in the log.',
  },
  diskSlow: {
    grade: 'warning',
    says: 'Writing a few bytes durably to the disk of {folder} took {milliseconds} ms.',
    means: 'Each commit waits for that, and every post for one or two commits.',
    todo: 'Put the data folder on an SSD of this machine, not on a network file system.',
  },

  keysMissing: {
    grade: 'warning',
    says: 'The server has no keys yet.',
    means: 'They are made by its first start.',
    todo: 'Start the server once.',
  },
  keyUnreadable: {
    grade: 'wrong',
    says: 'The {which} cannot be read: {reason}.',
    means: 'Nothing can be signed with it: deliveries fail, or push messages.',
    todo: 'Stop the server, run murmuration check, and restore a backup if it finds damage.',
  },
  keysDiffer: {
    grade: 'wrong',
    says: 'The two halves of the {which} do not belong together.',
    means: 'Others refuse every signature made with it.',
    todo: 'Stop the server, run murmuration check, and restore a backup if it finds damage.',
  },

  anotherServer: {
    grade: 'wrong',
    says: '{origin} does not lead to this server: it answered {status} to a question that only this server understands.',
    means: 'The proxy leads to another server or folder, or keeps requests to itself.',
    todo: `Let the proxy pass everything to the port of this server. ${proxyGuide}`,
  },
  redirected: {
    grade: 'wrong',
    says: '{origin} redirects to {location}.',
    means:
      'The origin in accounts and links is not the address of the server; signed requests of others cannot follow.',
    todo: 'Serve the origin itself without a redirect, or correct MURMURATION_ORIGIN before the first start.',
  },
  hostChanged: {
    grade: 'warning',
    says: 'The proxy changes the header Host: {arrived} arrived instead of {sent}.',
    means: 'Signatures of some kinds of servers are made for the public name.',
    todo: `nginx: proxy_set_header Host $host; Apache: ProxyPreserveHost On. ${proxyGuide}`,
  },
  schemeLost: {
    grade: 'wrong',
    says: 'The server believes that clients use {arrived} instead of {origin}.',
    means: 'Links back to clients are wrong.',
    todo: `nginx: proxy_set_header X-Forwarded-Proto $scheme. ${proxyGuide}`,
  },
  proxyUntrusted: {
    grade: 'wrong',
    says: 'Requests come through a proxy, which the server does not know: X-Forwarded-For arrives, and MURMURATION_TRUSTED_PROXIES is 0.',
    means:
      'All clients share the address of the proxy: one of them uses up the rate limits of all, and blocks of addresses do not work.',
    todo: 'Set MURMURATION_TRUSTED_PROXIES to the number of proxies in front of the server, usually 1.',
  },
  forwardedForMissing: {
    grade: 'wrong',
    says: 'MURMURATION_TRUSTED_PROXIES is {trusted}, and no X-Forwarded-For arrives.',
    means: 'All clients share the address of the proxy in rate limits; without a proxy they can invent theirs.',
    todo: `nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for. Without a proxy set the option to 0. ${proxyGuide}`,
  },
  forwardedForBelieved: {
    grade: 'wrong',
    says: 'The server believes an address that the client invented: MURMURATION_TRUSTED_PROXIES is {trusted}, and fewer proxies add to X-Forwarded-For.',
    means: 'Anybody can evade rate limits and blocks of addresses.',
    todo: 'Set MURMURATION_TRUSTED_PROXIES to the number of proxies in front of the server.',
  },
  authorizationLost: {
    grade: 'wrong',
    says: 'The header Authorization does not arrive.',
    means: 'No app can sign in.',
    todo: 'Let the proxy pass it (Apache with CGI: CGIPassAuth On), and switch off its own sign-in for this site.',
  },
  upgradeLost: {
    grade: 'wrong',
    says: 'The header Upgrade does not arrive: WebSockets do not pass the proxy.',
    means: 'Apps get no live updates and no notifications while they are open.',
    todo: `nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade. ${proxyGuide}`,
  },
  streamBuffered: {
    grade: 'wrong',
    says: 'Server-sent events are held back: what was written at once came only at the end.',
    means: 'Live updates come late or never.',
    todo: `nginx: proxy_buffering off. Other proxies and CDNs: no buffering and no compression of text/event-stream. ${proxyGuide}`,
  },
  bodyTooLarge: {
    grade: 'wrong',
    says: 'The proxy refuses bodies of {megabytes} MB, which the server takes: it answered {status}.',
    means: 'Uploads of videos and large photos fail.',
    todo: `nginx: client_max_body_size 100m. ${proxyGuide}`,
  },

  documentWrong: {
    grade: 'wrong',
    says: '{url} answers {status} with {type}: {what}.',
    means: 'Other servers do not find or do not understand the accounts of this one.',
    todo: `Let the proxy pass this path unchanged to the server, with the header Accept. ${proxyGuide}`,
  },
  webFingerNotRedirected: {
    grade: 'wrong',
    says: '{url} answers {status}, and the handles of this server are on that domain.',
    means: 'Nobody can find the accounts of this server by their handles.',
    todo: 'Let the web server of the domain redirect /.well-known/webfinger and /.well-known/host-meta to this server.',
  },
  keyNotPublished: {
    grade: 'wrong',
    says: 'The key in {url} is not the one in the data folder.',
    means:
      'Other servers refuse every signature; a cache in front may hold an old document, or another server answers.',
    todo: 'Empty the cache in front of the server, and look whether another server runs at the address.',
  },
  signedGetRefused: {
    grade: 'wrong',
    says: 'A signed request through the public address is refused: {reason}.',
    means: 'Servers that sign their fetches get nothing from this one.',
    todo: `The proxy changes the path, the query, or a header that is signed (Host, Date, Signature). ${proxyGuide}`,
  },
  signedPostRefused: {
    grade: 'wrong',
    says: 'A signed post through the public address is refused: {reason}.',
    means: 'What other servers send to inboxes here is refused: nothing federates.',
    todo: `The proxy changes the path, the body, or a header that is signed (Host, Date, Digest, Signature). ${proxyGuide}`,
  },
  inboxUnreachable: {
    grade: 'wrong',
    says: '{url} answers an unsigned post with {status} instead of 401.',
    means: 'Posts to the inbox are held up before they reach the server, for example by a firewall for applications.',
    todo: 'Let posts with the type application/activity+json through to /inbox and /users/…/inbox.',
  },

  smtpUnreachable: {
    grade: 'wrong',
    says: 'The mail server {server} cannot be used: {reason}.',
    means: 'Nobody gets mails: confirmations, new passwords, notifications.',
    todo: 'Compare MURMURATION_SMTP_URL with what your mail provider says. Many providers of machines block port 25: use 587 or 465.',
  },
  smtpRefused: {
    grade: 'wrong',
    says: 'The mail server {server} refuses the {stage} with {code}: {reason}.',
    means: 'Nobody gets mails: confirmations, new passwords, notifications.',
    todo: 'Look at user name and password in MURMURATION_SMTP_URL; special characters in them must be percent-encoded.',
  },
  smtpInTheOpen: {
    grade: 'warning',
    says: 'The mail server {server} offers no TLS.',
    means: 'Mails, with links that set new passwords, travel in the open.',
    todo: 'Use a server with STARTTLS (smtp://) or TLS (smtps://), unless it is in your own network.',
  },
  bucketUnusable: {
    grade: 'wrong',
    says: 'The bucket for {purpose} cannot be used: {reason}.',
    means: 'Uploads fail and media are not shown, or no backup is made.',
    todo: 'Compare endpoint, region, bucket, path style and keys; the key must be allowed to put, get and delete objects.',
  },
  translationUnusable: {
    grade: 'warning',
    says: 'The LibreTranslate server {origin} cannot be used: {reason}.',
    means: 'Nobody gets translations.',
    todo: 'Look at MURMURATION_TRANSLATION_ORIGIN and MURMURATION_TRANSLATION_KEY, and whether the server runs.',
  },
  pushHostUnknown: {
    grade: 'warning',
    says: 'The push server {host} of MURMURATION_PUSH_PRIVATE_HOSTS cannot be reached: {reason}.',
    means: 'Apps that use it get no push messages.',
    todo: 'Correct the name, or remove it from the list.',
  },
  clusterUnusable: {
    grade: 'wrong',
    says: '{sentence}',
    means: 'The server does not start, or cannot store anything: its logs are in the cluster.',
    todo: 'See docs/cluster/README.md.',
  },

  fewDescriptors: {
    grade: 'warning',
    says: 'The system allows {which} {count} open files and connections.',
    means: 'As many clients and streams fit, less some hundred for the server itself; others wait in vain.',
    todo: 'Allow more: LimitNOFILE=65536 in the systemd unit, or ulimit -n.',
  },
  memoryTooSmall: {
    grade: 'wrong',
    says: 'The server plans with {planned} MB of memory, and the machine or its cgroup has {available} MB.',
    means: 'The system will kill it when its caches are full.',
    todo: 'Lower MURMURATION_MEMORY to at most two thirds of what there is, or raise the limit (MemoryMax, docker --memory).',
  },
  memoryPlanImpossible: {
    grade: 'wrong',
    says: '{sentence}',
    means: 'The server does not start.',
    todo: 'Raise MURMURATION_MEMORY, or run fewer threads.',
  },
  nodeOther: {
    grade: 'wrong',
    says: 'This runs on Node.js {running}, and the program comes with {pinned}.',
    means: 'Native parts (LMDB, uWebSockets.js) were built for the other one and may fail.',
    todo: 'Run npm ci in the folder of the program, and start it by the command murmuration.',
  },
} as const satisfies Readonly<Record<string, Problem>>;

export type ProblemName = keyof typeof problems;
