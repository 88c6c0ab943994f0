/**
 * Return whether no one on the way can read what this page sends: it was loaded over https, or from this machine. The browser decides, so
 * that a proxy in front of the server counts.
 */
export const isEncrypted = (): boolean => window.isSecureContext
