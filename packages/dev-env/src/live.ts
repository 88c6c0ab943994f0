/** A listener on a STOMP topic, as the console's live lists are. */
import { Client as StompClient } from '@stomp/stompjs'
import { WebSocket } from 'ws'
import { REALTIME_ENDPOINT, type Topic, type TopicPayload } from '@gatehouse/contract/realtime'

type RowOf<T extends Topic> = TopicPayload<T> extends { rows: (infer Row)[] } ? Row : never

export interface LiveRows<Row> {
  /** Every row so far, in order of arrival. */
  rows: readonly Row[]
  /** Return the first row, past or future, that satisfies the condition. @throws Error after so many seconds */
  row(what: string, condition: (row: Row) => boolean, seconds?: number): Promise<Row>
  stop(): Promise<void>
}

/**
 * Subscribe, and wait until the server has confirmed it.
 * @param authority PEM certificate that is trusted over HTTPS besides the usual ones
 * @param onRow called at once with each row that arrives
 * @throws Error with the server's message when it refuses
 */
export async function listen<T extends Topic>(
  { url, bearer, areaCode, authority }: { url: string; bearer: string; areaCode: string; authority?: string | undefined },
  topic: T,
  onRow: (row: RowOf<T>) => void = () => {},
): Promise<LiveRows<RowOf<T>>> {
  const rows: RowOf<T>[] = []
  const waiting = new Set<() => void>()
  const subscribed = Promise.withResolvers<void>()
  const stomp = new StompClient({
    webSocketFactory: () => new WebSocket(url.replace(/^http/, 'ws') + REALTIME_ENDPOINT, 'v12.stomp', { ca: authority }) as never,
    connectHeaders: { Authorization: `Bearer ${bearer}` },
    reconnectDelay: 0,
    onStompError: (frame) => subscribed.reject(new Error(`the server refuses the subscription: ${frame.headers['message']}`)),
    onWebSocketClose: () => subscribed.reject(new Error('the server closed the connection')),
    onConnect() {
      stomp.watchForReceipt('subscribed', () => subscribed.resolve())
      const take = ({ body }: { body: string }) => {
        for (const row of (JSON.parse(body) as { rows: RowOf<T>[] }).rows) {
          rows.push(row)
          onRow(row)
        }
        waiting.forEach((look) => look())
      }
      stomp.subscribe(topic.destination.replace('{areaCode}', areaCode), take, { receipt: 'subscribed' })
    },
  })
  stomp.activate()
  await subscribed.promise.catch(async (error: unknown) => {
    await stomp.deactivate({ force: true })
    throw error
  })
  return {
    rows,
    row(what, condition, seconds = 30) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`waited ${seconds} s for ${what} on ${topic.destination}; ${rows.length} rows came`))
        }, seconds * 1000)
        function look() {
          const found = rows.find(condition)
          if (found === undefined) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      })
    },
    stop: () => stomp.deactivate({ force: true }),
  }
}
