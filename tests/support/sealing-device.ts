/** A device that requests encrypted credentials, and decrypts what it receives; all answers are kept for inspection. */
import { PROTOCOL_VERSION } from '@gatehouse/contract/device/protocol'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { PersonObject } from '@gatehouse/contract/device/protocol-persons'
import type { MadeDevice } from '@gatehouse/dev-env/world'
import { createSealedCredentials, type SealedCredentials } from '@gatehouse/terminal/device/sealed-credentials'
import { wireClient } from './wire-device.ts'

export interface SealingDevice {
  /** Return the changes after a cursor, with decrypted credentials. */
  changes(audience: string, after: number): Promise<{ head: number; gone: string[]; persons: PersonObject[] }>
  persons(audience: string, ids: string[]): Promise<PersonObject[]>
  open: SealedCredentials['open']
  /** Answers of the server as they were received. */
  readonly travelled: string[]
}

/** Start a device and pair it at once. */
export async function startSealingDevice(url: string, device: Pick<MadeDevice, 'code' | 'secret'>): Promise<SealingDevice> {
  const http = wireClient(url, device)
  const sealed = createSealedCredentials()
  const travelled: string[] = []
  const kept = <T>(answer: T): T => {
    travelled.push(JSON.stringify(answer))
    return answer
  }
  const body = { protocol: PROTOCOL_VERSION, version: 'wire', modelId: 'none', epochs: ['wire'], sealingKey: sealed.begin() }
  sealed.take(kept(await http.call(deviceProtocolCalls.pair, { body })).credentialsKey)
  const opened = ({ sealedCredentials, ...person }: PersonObject): PersonObject =>
    sealedCredentials === undefined ? person : { ...person, credentials: sealed.open(person.id, sealedCredentials) }
  const asked = { modelId: 'none', ...sealed.queryParameters() }
  return {
    open: sealed.open,
    travelled,
    async changes(audience, after) {
      const page = kept(await http.call(deviceProtocolCalls.changes, { params: { audience }, query: { after, ...asked } }))
      return { head: page.head, gone: page.gone, persons: page.persons.map(opened) }
    },
    async persons(audience, ids) {
      const page = kept(await http.call(deviceProtocolCalls.persons, { params: { audience }, body: { ids, ...asked } }))
      return page.persons.map(opened)
    },
  }
}
