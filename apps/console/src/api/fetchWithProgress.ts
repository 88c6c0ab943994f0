/** A `fetch` for large files that reports how much has been sent, which `fetch` itself cannot do. */

/**
 * Return a `fetch` for the option `send` of `request`.
 * @param sent called with the number of bytes sent so far, including those of the form around the file
 */
export const fetchWithProgress =
  (sent: (bytes: number) => void): typeof fetch =>
  (address, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const exchange = new XMLHttpRequest()
      const fail = (): void => reject(new TypeError('no answer'))
      exchange.open(method, String(address))
      new Headers(headers).forEach((value, name) => exchange.setRequestHeader(name, value))
      exchange.responseType = 'arraybuffer'
      exchange.upload.addEventListener('progress', ({ loaded }) => sent(loaded))
      exchange.addEventListener('load', () =>
        resolve(new Response(exchange.response as ArrayBuffer, { status: exchange.status, headers: headersOf(exchange) })),
      )
      exchange.addEventListener('error', fail)
      exchange.addEventListener('abort', fail)
      signal?.addEventListener('abort', () => exchange.abort(), { once: true })
      if (signal?.aborted) return fail()
      exchange.send(body as XMLHttpRequestBodyInit | null)
    })

function headersOf(exchange: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of exchange.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 2))
  }
  return headers
}
