/** A face, or the first letter of the name where there is none; without a name, an anonymous figure. */
import { UserOutlined } from '@ant-design/icons'
import { useState } from 'react'
import styles from '../kit.module.css'

interface PortraitProps {
  name: string
  /** Address of the picture; empty or expired shows the letter. */
  url?: string | undefined
  /** Pixels of each side. */
  size: number
  round?: boolean
  /** Nothing beside it shows the name. */
  alone?: boolean
}

export function Portrait({ name, url, size, round, alone }: PortraitProps) {
  const [failed, setFailed] = useState<string>()
  const shape = { width: size, height: size, borderRadius: round ? '50%' : Math.min(8, size / 6), fontSize: size * 0.42 }
  if (url && url !== failed)
    return (
      <img
        className={styles.portrait}
        style={shape}
        src={url}
        alt={alone ? name : ''}
        loading="lazy"
        decoding="async"
        onError={() => setFailed(url)}
      />
    )
  return (
    <span className={styles.portrait} style={shape} aria-hidden="true">
      {[...name][0] ?? <UserOutlined />}
    </span>
  )
}
