/** The terminal's test server as tests see it, and what its parts share. */
import type { Aedes } from 'aedes'
import type { FastifyInstance } from 'fastify'
import type { Server } from 'node:net'
import type { z } from 'zod'
import type { DataOf } from '@gatehouse/contract'
import type { DeviceSecrets } from '@gatehouse/contract/configuration/calls'
import type { answerMessage, CommandMessage } from '@gatehouse/contract/device/protocol-commands'
import type { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { RecordObject, RecordsMessage } from '@gatehouse/contract/device/protocol-records'
import type { StatusMessage } from '@gatehouse/contract/device/protocol-status'
import type { TestAudience } from './audience-types.ts'
import type { TestCertificate } from './certificates.ts'
import type { TestNumbered } from './server-numbered.ts'
import type { TestVisits } from './server-visits.ts'

type Asked = z.output<typeof deviceProtocolCalls.verify.body>
type Verified = z.output<typeof deviceProtocolCalls.verify.data>

export interface TestServer {
  url: string
  secret: string
  /** Digests of keys it vouches for; initially those of its own certificates. */
  keys: readonly string[]
  /** Whether it says that it takes TLS only; initially whether it does. */
  tlsOnly: boolean
  /** False: it answers like a server without the handshake. */
  knowsHandshake: boolean
  /** Seconds a token is valid. */
  tokenSeconds: number
  /** Challenges answered and tokens given out. */
  signIns: { challenges: number; tokens: number }
  /** Number of plain http requests that it refused because it speaks TLS. */
  plainRequests: number
  /** Method and path of each request, in order. */
  asked: string[]
  /** Open HTTP connections. */
  connections(): number
  /** Invalidate all tokens. */
  endTokens(): void
  /** Use another certificate from now on, and close idle HTTP connections. */
  show(certificate: TestCertificate): void
  deviceId: string
  /** The audience of the device, with everything the device was sent and requested. */
  audience: TestAudience
  /** What `secrets` answers, under the revision of the manifest. */
  secrets: Omit<DeviceSecrets, 'revision'>
  secretsCalls: number
  identify: z.output<typeof deviceProtocolCalls.identify.data>
  identifyCalls: number
  verify: Verified | ((asked: Asked) => Verified)
  /** Answers a device that asks whether it was removed; null if the server does not support the call. */
  removal: ((asked: RemovalAsked) => z.output<typeof deviceProtocolCalls.removal.data> | null) | null
  /** Milliseconds after which second verification is answered; null: it fails with 500. */
  verifyAfter: number | null
  verifyCalls: Asked[]
  /** Records stored, by epoch and number. */
  records: Map<string, Map<number, RecordObject>>
  /** How often a record arrived, repeats included. */
  arrivals: { epoch: string; seq: number }[]
  /** Messages of records, without the records. */
  batches: Omit<RecordsMessage, 'records'>[]
  /** Epochs named when pairing, one list for each connection. */
  paired: string[][]
  acknowledging: boolean
  /** Address of its own broker. */
  brokerUrl: string
  /** Broker named in the answer to `pair`; null: the server's own. */
  broker: DataOf<typeof deviceProtocolCalls.pair>['broker'] | null
  /** The number that `pair` claims to have of an epoch, in place of the real one. */
  claimed: Map<string, number>
  pictures: Map<string, Uint8Array>
  /** Files that settings may name, by id. */
  files: Map<string, Uint8Array>
  /** Ids of files in the order of the requests. */
  filesAsked: string[]
  statuses: StatusMessage[]
  answers: z.output<typeof answerMessage>[]
  recordsOf(epoch: string): RecordObject[]
  /** Announce the target to the device. */
  changed(): void
  command(command: CommandMessage): void
  acknowledgeAll(): void
  /** Visits and events of a visitor machine. */
  machine: TestVisits
  /** Events and captures. */
  numbered: TestNumbered
  /** No request is answered, as if the network were cut. */
  isCutOff: boolean
  /** Break all connections of devices. */
  cut(): void
  stop(): Promise<void>
}

export type RemovalAsked = z.output<typeof deviceProtocolCalls.removal.body>

export interface TestServerOptions {
  /** HTTP port, to restart at the same address. */
  port?: number
  /** Accept TLS only, and refuse plain http on the same port. */
  tls?: TestCertificate
  /** Let the broker speak TLS. */
  brokerTls?: TestCertificate
}

export interface TestServerParts {
  readonly http: FastifyInstance
  readonly aedes: Aedes
  /** The socket of the broker. */
  readonly mqtt: Server
  readonly hasBrokerTls: boolean
  /** The server itself, available once it listens. */
  server(): TestServer
}
