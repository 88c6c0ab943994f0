/** The terminals of a world: they are started, known to be online, and waited for until nothing is left to do. */
import { deviceLine } from '@gatehouse/server/contexts/devices/index'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startTerminal, type TerminalOptions, type DisclosedVerdict } from '@gatehouse/terminal'
import type { MadeDevice } from './site.ts'
import type { World, WorldParts, WorldTerminal } from './world-types.ts'

const PATIENCE_MS = 60_000

export interface WorldTerminals extends Pick<World, 'settled'> {
  /** Start a terminal at a door. When this returns, it is online and the server has noted it. */
  terminalAt(at: MadeDevice, settings: Partial<TerminalOptions>): Promise<WorldTerminal>
}

async function waitFor(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s for ${what}`)
    await delay(15)
  }
}

export function createWorldTerminals(parts: WorldParts): WorldTerminals {
  const { url, clock, dataDir, terminals } = parts

  async function terminalAt(at: MadeDevice, settings: Partial<TerminalOptions>): Promise<WorldTerminal> {
    const started = await startTerminal({
      server: url,
      code: at.code,
      secret: at.secret,
      dataDir: join(dataDir, `terminal-${at.code}`),
      port: 0,
      pool: parts.facePool,
      clock: () => clock.now(),
      retry: { first: 50, limit: 500 },
      ...settings,
    })
    const handle: WorldTerminal = {
      ...started,
      device: at,
      async show(photo) {
        const response = await fetch(`${started.url}frame`, {
          method: 'POST',
          headers: { 'content-type': 'image/jpeg' },
          body: new Uint8Array(photo),
        })
        return (await response.json()) as DisclosedVerdict
      },
      async stop() {
        terminals.splice(terminals.indexOf(handle), 1)
        await started.stop()
      },
    }
    terminals.push(handle)
    await waitFor(`terminal ${at.code} to be online`, () => handle.state().link.kind === 'online')
    // The broker acknowledges a status before the server has noted it.
    await waitFor(`the server to have noted that terminal ${at.code} is online`, () => isNotedOnline(at))
    return handle
  }

  async function isNotedOnline({ id }: MadeDevice): Promise<boolean> {
    // While the server is interrupted, the caller runs another server process, whose notes are not visible here.
    if (!parts.isRunning) return true
    await parts.server.platform.extensions.one(deviceLine).idle()
    const db = parts.server.platform.db
    return (await db.selectFrom('device').select('online').where('id', '=', id).executeTakeFirst())?.online === true
  }

  async function holdsWhatItShould({ device, state }: WorldTerminal): Promise<boolean> {
    const { link, queue } = state()
    if (link.kind === 'refused' || link.kind === 'foreign' || link.kind === 'removed') return true
    if (link.kind !== 'online' || queue.records + queue.pictures > 0) return false
    const { devices, synchronisation } = parts.server.contexts
    const principal = await devices.service.byCode(device.code)
    const current = principal === null ? null : synchronisation.service.current(principal)
    if (current === null) return true
    await synchronisation.service.settled()
    const db = parts.server.platform.db
    const busy = await db
      .selectFrom('syncDevice')
      .select(['digest', 'revision', 'erasureId'])
      .where('deviceId', '=', device.id)
      .executeTakeFirst()
    return busy?.digest === current.digest && busy.revision === current.revision && busy.erasureId === (current.erasure ?? null)
  }

  async function settled(): Promise<void> {
    const synchronisation = parts.server.contexts.synchronisation.service
    await parts.server.platform.extensions.one(deviceLine).idle()
    await parts.server.platform.events.settled()
    await synchronisation.settled()
    for (const one of terminals) await one.settled()
    for (const one of terminals) await waitFor(`terminal ${one.device.code} to hold what it should`, () => holdsWhatItShould(one))
    await synchronisation.settled()
    await parts.server.platform.events.settled()
    await parts.server.platform.audit.settled()
  }

  return { terminalAt, settled }
}
