/** Whether a host, as it is listened on or stands in an address, is this machine and means nothing to any other. */
export const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/.test(host)
