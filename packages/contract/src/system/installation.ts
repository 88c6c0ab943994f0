/** The installation and its address: version, address, restart, the third-party monitor, the tender switch. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { TEXT_MAX } from '../limits.ts'
import { changeOf, instant } from '../schema.ts'
import { rule } from '../validation.ts'

const call = callsOf('system')

const onOff = z.union([z.literal(0), z.literal(1)])

const readThirdConfig = call({
  method: 'GET',
  service: 'biz',
  path: '/system/third/config',
  permission: 'installation',
  besides: ['system.domainName'],
  summary: 'Address of the third-party monitor; its secret is never answered.',
  data: z.object({ address: z.string(), secret: z.string(), secretsSet: z.array(z.string()), version: z.number().int() }),
})

export const installationCalls = {
  info: call({
    method: 'GET',
    service: 'biz',
    path: '/system/info',
    permission: 'self',
    summary: 'Version and kind of the installation, as far as everybody may know.',
    data: z.object({
      version: z.string(),
      lite: z.boolean(),
      privatised: z.boolean(),
      /** IANA time zone of the machine. */
      zone: z.string(),
      /** Whether e-mails are delivered. */
      mail: z.boolean(),
      /** Whether the third-party monitor can be opened. */
      thirdParty: z.boolean(),
      /** Whether an upgrade service runs beside the server, on port 23456 of the host from which the console was loaded. */
      upgradeService: z.boolean(),
    }),
  }),
  details: call({
    method: 'GET',
    service: 'biz',
    path: '/system/installation',
    permission: 'installation',
    besides: ['system.domainName'],
    summary: 'What the installation runs on and where it is reached.',
    data: z.object({
      /** As set: an IP address or host name, with a port if one was given. */
      ip: z.string(),
      /** Start of links and QR codes; null if nothing is set. */
      address: z.string().nullable(),
      startedAt: instant,
      /** Time since the start in seconds. */
      uptime: z.number().int(),
      runtime: z.string(),
      platform: z.string(),
      database: z.string(),
      engine: z.object({ name: z.string(), modelId: z.string(), kind: z.string() }),
      /** Whether the server can restart itself. */
      restartable: z.boolean(),
    }),
    origin: 'own',
  }),
  licences: call({
    method: 'GET',
    service: 'biz',
    path: '/system/licences',
    permission: 'self',
    summary: 'What the product is made of, with the licence of each part.',
    data: z.object({ content: z.array(z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() })) }),
    origin: 'own',
  }),
  saveIpAddress: call({
    method: 'POST',
    service: 'biz',
    path: '/system/saveipaddress',
    permission: 'installation',
    besides: ['system.domainName'],
    freshPassword: true,
    summary: 'Sets under which IP address or host name terminals and links reach the installation.',
    query: z.object({ ip: z.string().trim().min(1).max(255) }),
    data: z.object({ ip: z.string(), address: z.string() }),
    statuses: [409],
  }),
  restart: call({
    method: 'POST',
    service: 'biz',
    path: '/system/restartserver',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'Stops the server in good order and starts it again; terminals decide by themselves meanwhile.',
  }),
  thirdConfig: readThirdConfig,
  changeThirdConfig: call({
    method: 'POST',
    service: 'biz',
    path: '/system/third/config',
    permission: 'installation',
    besides: ['system.domainName'],
    freshPassword: true,
    summary: 'Sets address and secret of the third-party monitor; an empty address takes the entry away, an empty secret stays as it was.',
    record: readThirdConfig,
    body: changeOf(
      z.object({
        address: z
          .string()
          .trim()
          .max(500)
          .refine((value) => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value)), rule('url')),
        secret: z.string().max(TEXT_MAX),
      }),
    ).extend({ version: z.number().int().optional() }),
  }),
  loginUrl: call({
    method: 'GET',
    service: 'biz',
    path: '/third/getLoginUrl',
    permission: 'self',
    summary: 'Address that opens the third-party monitor as the asking user: `token` is a JSON Web Token (HS256), good for two minutes.',
    data: z.string(),
  }),
  bidOption: call({
    method: 'GET',
    service: 'biz',
    path: '/system/bid/option',
    permission: 'self',
    summary: 'Values the tender switch takes: 0 off, 1 on.',
    data: z.object({ options: z.array(onOff) }),
  }),
  setBid: call({
    method: 'GET',
    service: 'biz',
    path: '/system/bid/set',
    permission: 'installation',
    besides: ['system.domainName'],
    effect: 'write',
    summary: 'Sets the tender switch.',
    query: z.object({ value: z.coerce.number().pipe(onOff) }),
    data: z.object({ value: onOff }),
    statuses: [409],
  }),
  bidInfo: call({
    method: 'GET',
    service: 'biz',
    path: '/system/bid/info',
    permission: 'self',
    summary: 'How the tender switch stands; the home page says so.',
    data: z.object({ value: onOff, changedAt: instant.nullable() }),
    quiet: true,
  }),
}
