/** The administrator of every world, and of every server that is started for a test. */
export const ADMIN = { account: 'admin', password: 'Gate-house-7' } as const
