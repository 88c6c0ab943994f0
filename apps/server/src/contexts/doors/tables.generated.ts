/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
export {}

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    doorHold: {
      deviceId: string
      parkId: string
      userId: string
      operator: string
      until: number
    }
    doorRequest: {
      id: string
      parkId: string
      deviceId: string
      deviceName: string
      userId: string
      account: string
      operator: string
      operateType: number
      status: number
      errorType: number | null
      requestedAt: number
      answeredAt: number | null
    }
    doorState: {
      deviceId: string
      parkId: string
      state: string
      told: boolean
      at: number
    }
  }
}
