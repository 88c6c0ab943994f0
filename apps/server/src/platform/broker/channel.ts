/** The connection to devices over MQTT: through the embedded broker, or an external one. */
import { embeddedChannel } from './embedded.ts'
import { externalChannel } from './external.ts'
import type { ChannelOptions, DeviceChannel } from './types.ts'

export { BrokerUnavailable, BrokerUnprovisioned } from './types.ts'
export type { Asking, BrokerAccess, ChannelOptions, DeviceChannel, DeviceCredential, MessageHandler } from './types.ts'

/**
 * Open the channel that the options name. When this resolves, the embedded broker listens; an external one that is away is retried in the
 * background.
 * @throws Error with a sentence when the port is in use, or an external broker refuses the account of its address
 */
export const openChannel = (options: ChannelOptions): Promise<DeviceChannel> =>
  options.url === null ? embeddedChannel(options) : externalChannel(options, options.url)
