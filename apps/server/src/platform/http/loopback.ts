/** Return whether a host, of a listening socket or in an address, is reachable from this machine only. */
export const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host)
