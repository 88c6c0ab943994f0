/** Who is asking, and what part of the data the asking may touch. */

/** First argument of every exported function of a `data.ts`. */
export interface Scope {
  /** The park that lists show and writes go to. */
  readonly parkId: string
}

export interface Park {
  id: string
  areaCode: string
  name: string
  /** IANA zone. */
  zone: string
}

export interface Session {
  readonly tokenId: string
  readonly userId: string
  readonly account: string
  readonly roleSign: string
  readonly permissions: ReadonlySet<string>
  readonly park: Park
  readonly scope: Scope
}

export interface DevicePrincipal {
  readonly deviceId: string
  readonly code: string
  readonly parkId: string
}

/** What contexts supply so that the platform can tell who is asking. */
export interface Authenticator {
  /** The session of a bearer token. */
  session(token: string): Promise<Session | 'unknown' | 'expired'>
  /** Whether these client credentials may ask for tokens. */
  client(id: string, secret: string): Promise<boolean>
  /** The device with this code and secret. */
  device(code: string, secret: string): Promise<DevicePrincipal | null>
}
