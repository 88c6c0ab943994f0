/** The first cell of an event: its picture, where there is one, and what happened. */
import { Portrait } from '../../../kit/media/Portrait.tsx'
import styles from './alarms.module.css'

/** Pixels; rows of either density have room for it. */
const PICTURE = 44

export function EventCell({ picture, name }: { picture: string; name: string }) {
  return (
    <span className={styles.event}>
      {picture !== '' && <Portrait name={name} url={picture} size={PICTURE} />}
      <b title={name}>{name}</b>
    </span>
  )
}
