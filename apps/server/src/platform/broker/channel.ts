/** How the server talks to devices over MQTT: through the embedded broker, or through one that stands elsewhere. */
import { embeddedChannel } from './embedded.ts'
import { externalChannel } from './external.ts'
import type { ChannelOptions, DeviceChannel } from './types.ts'

export { BrokerUnavailable, BrokerUnprovisioned } from './types.ts'
export type { Asking, BrokerAccess, ChannelOptions, DeviceChannel, DeviceCredential, MessageHandler } from './types.ts'

/**
 * Opens the channel the options name. The embedded broker listens when this resolves; an external one that is away is
 * waited for in the background.
 * @throws Error with a sentence when the port is taken, or an external broker refuses the account of its address
 */
export const openChannel = (options: ChannelOptions): Promise<DeviceChannel> =>
  options.url === null ? embeddedChannel(options) : externalChannel(options, options.url)
