/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    device: {
      id: string
      parkId: string
      code: string
      name: string
      type: number
      model: number
      groupId: string | null
      direction: number
      secretHash: Buffer
      online: Generated<boolean>
      lastSeenAt: number | null
      ip: Generated<string>
      firmwareVersion: Generated<string>
      modelId: Generated<string>
      createdAt: number
      updatedAt: number
      version: Generated<number>
      facts: Json<unknown, undefined>
      authorisation: Generated<number>
      secretUntil: number | null
      port: number | null
      userName: Generated<string>
      password: Buffer | null
      accessType: number | null
      relayMac: Generated<string>
      lockMacs: Generated<string[]>
      devicePassword: Buffer | null
      digitalCode: string | null
      openDoorConfirm: Generated<boolean>
      channelCount: Generated<number>
      supportsVideo: Generated<boolean>
      releasedAt: number | null
      releasedBy: Generated<string>
      pairedBy: string | null
      pairedByAccount: Generated<string>
      pairedByOperator: Generated<string>
      pairedBySource: Generated<string>
      firstFetchAt: number | null
      firstFetchPersons: number | null
      signedInBy: string | null
      onlineSince: number | null
    }
    deviceGroup: {
      id: string
      parkId: string
      name: string
      parentId: string | null
      createdAt: number
      defaultDirection: number | null
    }
    deviceNumbered: {
      deviceId: string
      kind: string
      epoch: string
      parkId: string
      ackSeq: number
      updatedAt: number
    }
    deviceRemoval: {
      deviceId: string
      code: string
      secretHash: Buffer
      removedAt: number
    }
  }
}
