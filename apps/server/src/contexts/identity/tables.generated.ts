/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    apiClient: {
      id: string
      name: string
      apiKey: string
      secretHash: Buffer
      purpose: string
      permissions: string[]
      organisationId: string
      enabled: boolean
      accessSeconds: number
      refreshSeconds: number
      masking: Generated<boolean>
      lastUsedAt: number | null
      createdAt: number
      updatedAt: number
      version: Generated<number>
    }
    attempt: {
      subject: Buffer
      count: number
      until: number
    }
    captcha: {
      id: string
      answer: number
      expiresAt: number
    }
    formerRefreshToken: {
      hash: Buffer
      tokenId: string
      replacedAt: number
    }
    knownDevice: {
      device: Buffer
      userId: string
      password: Buffer
      expiresAt: number
    }
    loginFailure: {
      subject: Buffer
      name: Buffer
      userId: string | null
      count: number
      until: number
    }
    loginKey: {
      number: number
      sealed: Buffer
      beganAt: number
    }
    recoveryCode: {
      userId: string
      hash: Buffer
    }
    role: {
      id: string
      name: string
      roleSign: string
      permissions: string[]
      createdAt: number
      roleLabel: Generated<number>
      organisationId: string | null
      remark: Generated<string>
      updatedAt: Generated<number>
      version: Generated<number>
      deviceGroupIds: Generated<string[]>
      ready: string | null
    }
    screenLink: {
      id: string
      parkId: string
      name: string
      tokenHash: Buffer
      userId: string
      createdAt: number
      endsAt: number | null
      lastUsedAt: number | null
    }
    secondFactor: {
      userId: string
      secret: Buffer | null
      lastStep: Generated<number>
      since: number | null
      pending: Buffer | null
      pendingUntil: number | null
    }
    token: {
      id: string
      userId: string | null
      accessHash: Buffer
      refreshHash: Buffer
      parkId: string
      accessExpiresAt: number
      refreshExpiresAt: number
      revoked: Generated<boolean>
      createdAt: number
      clientId: string | null
      ip: Generated<string>
      agent: Generated<string>
      seenAt: Generated<number>
      accessSeconds: Generated<number>
      confirmedUntil: number | null
      pairUsed: Generated<boolean>
    }
    usedCipherText: {
      hash: Buffer
      keyNumber: number
    }
    userAccount: {
      id: string
      account: string
      realName: string
      email: string
      passwordHash: string
      organisationId: string
      enabled: boolean
      masking: Generated<boolean>
      expiresAt: number | null
      passwordExpiresAt: number | null
      lastParkId: string | null
      lastLoginAt: number | null
      createdAt: number
      updatedAt: number
      version: Generated<number>
      idCardSealed: Buffer | null
      passwordValidity: Generated<string>
      passwordChangedAt: Generated<number>
      mustChange: Generated<boolean>
      enabledAt: number | null
      telephoneSealed: Buffer | null
      language: string | null
      administratorName: Generated<string>
    }
    userRole: {
      userId: string
      roleId: string
    }
    verificationCode: {
      subject: Buffer
      userId: string | null
      codeHash: Buffer
      ticketHash: Buffer | null
      expiresAt: number
    }
  }
}
