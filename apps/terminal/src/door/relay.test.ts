/** A terminal with a real face engine and a relay that never answers. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait, portraitVariant } from '@gatehouse/dev-env/portraits'
import { acceptedFace } from '@gatehouse/face-engine'
import { expect, onTestFinished, test, vi } from 'vitest'
import { idOf, personWith } from '../device/testing/objects.ts'
import { startTestServer } from '../device/testing/server.ts'
import { terminalForTest } from '../settings/testing/terminal.ts'
import { httpOutput } from './http-output.ts'

const PATIENCE = 60_000

test(
  'people are decided about, recorded and shown while the relay hangs',
  async () => {
    const asked: (string | undefined)[] = []
    const relay = createServer(({ url }) => void asked.push(url))
    relay.listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const pool = testingFacePool({ workers: 1 })
    const server = await startTestServer()
    onTestFinished(async () => {
      relay.closeAllConnections()
      relay.close()
      await server.stop()
      await pool.close()
    })
    server.audience.put(personWith(idOf('ann'), acceptedFace(await pool.analyse(await portrait(1))).embedding))
    const door = httpOutput({ url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}/{action}`, timeout: PATIENCE })
    const { terminal } = await terminalForTest({ pool, door }, server)
    await vi.waitUntil(() => terminal.state().held.persons === 1, { timeout: PATIENCE })

    const photo = await portraitVariant(1, 1)
    for (const passage of [1, 2]) {
      expect(await terminal.look(photo)).toMatchObject({ verdict: 'allowed', personId: idOf('ann') })
      await vi.waitUntil(() => [...server.records.values()].flatMap((records) => [...records.values()]).length === passage, {
        timeout: PATIENCE,
      })
    }
    expect(asked[0]).toBe('/open')
    expect(terminal.state().door).toBe('opening')
  },
  3 * PATIENCE,
)
