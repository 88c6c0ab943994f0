/** What runs here, and its administration: version, address, restart, the third-party monitor, the tender switch. */
import { z } from 'zod'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { sql } from '../../platform/database/database.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { defineSetting } from '../organisation/index.ts'
import type { Address } from './address.ts'
import type { SystemDependencies } from './dependencies.ts'
import { productVersion, readLicences, type Licence } from './licences.ts'
import { loginToken, loginUrl } from './login-token.ts'

const thirdSetting = defineSetting('system.third', z.object({ address: z.string(), secret: z.string() }), { address: '', secret: '' }, [
  'secret',
])
const bidSetting = defineSetting(
  'system.bid',
  z.object({ value: z.union([z.literal(0), z.literal(1)]), changedAt: z.number().nullable() }),
  { value: 0, changedAt: null },
)

/** Milliseconds in which an answer can be sent before the server ends. */
const LEAVE_MS = 300

export function installationHandlers(
  platform: Platform,
  { settings, engine }: SystemDependencies,
  address: Address,
  startedAt: () => number,
): MountedCall[] {
  const { config, clock } = platform
  let licences: Promise<Licence[]> | undefined
  const third = () => settings.read(INSTALLATION_ID, thirdSetting)
  const canOpen = ({ address: at, secret } = third()): boolean => at !== '' && secret !== ''

  return [
    handler(installationCalls.info, async () => ({
      version: await productVersion(),
      lite: config.lite,
      privatised: config.privatised,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      mail: platform.messages.delivers,
      thirdParty: canOpen(),
      upgradeService: config.upgradeService,
    })),
    handler(installationCalls.details, async () => {
      const { rows } = await sql<{ serverVersion: string }>`SHOW server_version`.execute(platform.db)
      const { name, modelId, kind } = engine()
      return {
        ip: address.ip(),
        address: address.public(),
        startedAt: startedAt(),
        uptime: Math.max(0, Math.floor((clock.now() - startedAt()) / 1000)),
        runtime: `Node.js ${process.versions.node}`,
        platform: `${process.platform} ${process.arch}`,
        database: `PostgreSQL ${rows[0]!.serverVersion}`,
        engine: { name, modelId, kind },
        restartable: platform.restart !== null,
      }
    }),
    handler(installationCalls.licences, async () => ({ content: await (licences ??= readLicences()) })),
    handler(installationCalls.saveIpAddress, async ({ query }) => {
      await address.save(query.ip)
      return { ip: address.ip(), address: address.public()! }
    }),
    handler(installationCalls.restart, async () => {
      const { restart } = platform
      if (restart === null) throw new InvalidRequest([{ path: '', rule: 'noRestart' }])
      setTimeout(restart, LEAVE_MS)
    }),
    handler(installationCalls.thirdConfig, async () => settings.show(INSTALLATION_ID, thirdSetting)),
    handler(installationCalls.changeThirdConfig, async ({ body: { version, ...next } }) => {
      const stored = third()
      if ((next.address ?? stored.address) !== '' && !next.secret && stored.secret === '')
        throw new InvalidRequest([{ path: 'secret', rule: 'required' }])
      await settings.write(INSTALLATION_ID, thirdSetting, next, version)
    }),
    handler(installationCalls.loginUrl, async ({ session }) => {
      const { address: at, secret } = third()
      if (!canOpen()) throw new InvalidRequest([{ path: '', rule: 'noThirdParty' }])
      return loginUrl(at, loginToken(session, secret, clock.now()))
    }),
    handler(installationCalls.bidOption, async () => ({ options: [0 as const, 1 as const] })),
    handler(installationCalls.setBid, async ({ query: { value } }) => {
      const before = settings.read(INSTALLATION_ID, bidSetting)
      if (before.value !== value) await settings.write(INSTALLATION_ID, bidSetting, { value, changedAt: clock.now() })
      return { value }
    }),
    handler(installationCalls.bidInfo, async () => settings.read(INSTALLATION_ID, bidSetting)),
  ]
}
