/** A whole world of real processes, each of which can be killed: PostgreSQL, server, broker, network and terminals. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { createClient, logIn, type Client } from '@gatehouse/dev-env/client'
import { createSite, type MadeDevice } from '@gatehouse/dev-env/site'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startDeviceProcess, type DeviceProcess } from '../support/device-process.ts'
import type { Mosquitto } from '../support/mosquitto.ts'
import { startPostgresCluster, type PostgresCluster } from '../support/postgres-cluster.ts'
import { startProxy, type Proxy } from '../support/proxy.ts'
import { ADMIN, SERVER_HOST, startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { depth } from './depth.ts'
import type { Place } from './kill-changes.ts'

const DEVICES = 3
const PERSONS = depth({ usual: 4, soak: 8 })
/** Milliseconds between the passages of one device: up to three records each. */
const EVERY_MS = 80

export interface KillDevice extends DeviceProcess {
  id: string
  secret: string
  /** Its connections to the server: HTTP and MQTT. */
  network: readonly Proxy[]
}

export interface KillWorld {
  database: PostgresCluster
  server: ServerProcess
  /** Null: the broker is part of the server. */
  broker: Mosquitto | null
  devices: readonly KillDevice[]
  client: Client
  place: Place
  /** Where the server keeps its files. */
  dataDir: string
  stop(): Promise<void>
}

/** Start a world and register devices, persons and strategies. @param seed for the records of the devices */
export async function startKillWorld(folder: string, broker: Mosquitto | null, seed: string): Promise<KillWorld> {
  const logs = join(folder, 'logs')
  mkdirSync(logs, { recursive: true })
  const picture = join(folder, 'picture.webp')
  writeFileSync(
    picture,
    await sharp({
      create: { width: 320, height: 320, channels: 3, background: '#6b7f92', noise: { type: 'gaussian', mean: 128, sigma: 20 } },
    })
      .webp()
      .toBuffer(),
  )
  const database = await startPostgresCluster(join(folder, 'database'))
  const dataDir = join(folder, 'server')
  const { connectionString } = database
  const server = await startServerProcess({
    connectionString,
    dataDir,
    log: join(logs, 'server.log'),
    ...(broker !== null && { mqttUrl: broker.url }),
  })

  const { access_token: bearer } = await logIn(createClient(server.url), ADMIN)
  let number = 0
  const site = createSite({ url: server.url, bearer, park: { areaCode: '' } as never, next: () => ++number })
  const made: MadeDevice[] = []
  for (let count = 0; count < DEVICES; count++) made.push(await site.device())
  const [staff, guests, outside] = [await site.personGroup(), await site.personGroup(), await site.personGroup()]
  const persons = await Promise.all(
    Array.from({ length: PERSONS }, async (_, count) =>
      site.person({ groupId: (count % 2 === 0 ? staff : guests).id, photo: await portrait(`kill ${count}`) }),
    ),
  )
  const timeRule = await site.timeRule()
  const staffStrategy = await site.strategy({ personGroups: [staff], devices: made, timeRules: [timeRule] })
  const guestStrategy = await site.strategy({ personGroups: [guests], devices: made.slice(0, 1), timeRules: [timeRule] })
  const place: Place = { staff, guests, outside, staffStrategy, guestStrategy, timeRule, deviceIds: made.map(({ id }) => id), persons }

  const startDevice = async ({ id, code, secret }: MadeDevice, index: number): Promise<KillDevice> => {
    // A device reaches the broker at the host it reaches the server by: an address of its own, where only proxies listen.
    const host = `127.0.0.${index + 2}`
    const network = await Promise.all(
      [server.port, broker?.port ?? server.mqttPort].map((port) => startProxy({ host, port }, { host: SERVER_HOST, port })),
    )
    const setup = {
      server: `http://${host}:${server.port}`,
      code,
      secret,
      folder: join(folder, code),
      picture,
      everyMs: EVERY_MS,
      seed: `${seed} ${code}`,
    }
    return { ...(await startDeviceProcess(setup, join(logs, `${code}.log`))), id, secret, network }
  }
  const devices = await Promise.all(made.map(startDevice))

  return {
    database,
    server,
    broker,
    devices,
    client: site.client,
    place,
    dataDir,
    async stop() {
      await Promise.all(devices.map((device) => device.kill()))
      await Promise.all(devices.flatMap(({ network }) => network.map((line) => line.stop())))
      await server.kill()
      await database.kill()
    },
  }
}
