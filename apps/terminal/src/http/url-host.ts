/** Addresses of this program for people. */

/** Return a host in the form in which a browser on this machine can open it. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
