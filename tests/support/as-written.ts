/** Requests written from the specification alone, without our client: an address, and a body of any fields. */
import type { Client } from '@gatehouse/dev-env/client'

export interface PlainAnswer {
  status: number
  code: number
  data: Record<string, unknown> & { fields?: { path: string; rule: string }[] }
}
export type Send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', address: string, body?: object) => Promise<PlainAnswer>

/** Send with the credentials of a client. */
export const sendingAs =
  (client: Pick<Client, 'url' | 'credentials'>): Send =>
  async (method, address, body) => {
    const { bearer } = client.credentials as { bearer: string }
    const response = await fetch(client.url + address, {
      method,
      headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { ...((await response.json()) as Omit<PlainAnswer, 'status'>), status: response.status }
  }
