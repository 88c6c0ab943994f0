/**
 * Whether nobody on the way can read what this page sends: it came over https, or from this very machine. Asked as the browser sees it,
 * so that a proxy in front of the server counts.
 */
export const isEncrypted = (): boolean => window.isSecureContext
