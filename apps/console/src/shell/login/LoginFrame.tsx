/** The frame of pages before login: name and look of the installation, and the form. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useInstallation } from '../installation.ts'
import { Preferences } from '../layout/Preferences.tsx'
import { Mark } from '../Mark.tsx'
import styles from './login.module.css'

interface LoginFrameProps {
  /** Text below the name. */
  words?: string
  /** With more than a few fields: the name takes less room. */
  isLong?: boolean
  children: ReactNode
}

export function LoginFrame({ words, isLong = false, children }: LoginFrameProps) {
  const { t } = useTranslation('shell')
  const { systemName, logo, background } = useInstallation()
  return (
    <div className={styles.login}>
      <div className={styles.side}>
        <div className={styles.preferences}>
          <Preferences />
        </div>
        <main className={styles.form} data-long={isLong || undefined}>
          <div className={styles.brand}>
            {logo ? <img src={logo} alt="" /> : <Mark size={44} />}
            <h1 className={systemName === '' ? 'unseen' : undefined}>{systemName || t('product')}</h1>
            {words !== undefined && <p>{words}</p>}
          </div>
          {children}
        </main>
      </div>
      <div className={styles.picture} style={background ? { backgroundImage: `url("${background}")` } : undefined} aria-hidden="true">
        {!background && <GatePicture />}
      </div>
    </div>
  )
}

interface Ball {
  x: number
  y: number
  across: number
  down: number
  /** Share of the light that reaches it. */
  lit: number
}
/** Head and shoulders, as bodies that reflect light. */
const BODY: Ball[] = [
  { x: 400, y: 500, across: 92, down: 118, lit: 1 },
  { x: 400, y: 668, across: 52, down: 96, lit: 0.4 },
  { x: 400, y: 906, across: 236, down: 214, lit: 0.85 },
]
/** Distance between dots, and direction of the light. */
const STEP = 13
const LIGHT = [-0.42, -0.62, 0.66] as const

/** Return how brightly a point is lit, 0 to 1; undefined outside the body. */
function lightAt(x: number, y: number): number | undefined {
  for (const ball of BODY) {
    const [u, v] = [(x - ball.x) / ball.across, (y - ball.y) / ball.down]
    const depth = 1 - u * u - v * v
    if (depth > 0) return ball.lit * Math.max(0, LIGHT[0] * u + LIGHT[1] * v + LIGHT[2] * Math.sqrt(depth))
  }
  return undefined
}

const dots = Array.from({ length: 46 * 46 }, (_, at) => {
  const row = Math.floor(at / 46)
  const x = 100 + (at % 46) * STEP + (row % 2) * (STEP / 2)
  const y = 350 + row * STEP
  return { x, y, light: lightAt(x, y) }
}).flatMap(({ x, y, light }) => (light === undefined ? [] : [{ x, y, radius: Number((0.9 + light * 3.9).toFixed(2)) }]))

/** A person standing in a gate: the picture beside the login form. Drawn from dots, so that it is sharp on any screen. */
function GatePicture() {
  return (
    <svg className={styles.gate} viewBox="0 0 800 900" preserveAspectRatio="xMidYMax slice">
      {[0, 1, 2, 3, 4].map((ring) => {
        const half = 196 + ring * 92
        return (
          <path
            key={ring}
            className={styles.arch}
            style={{ opacity: 0.55 - ring * 0.1 }}
            d={`M${400 - half} 900V${478 - ring * 8}a${half} ${half} 0 0 1 ${half * 2} 0V900`}
          />
        )
      })}
      <g className={styles.dots}>
        {dots.map(({ x, y, radius }) => (
          <circle key={`${x},${y}`} cx={x} cy={y} r={radius} />
        ))}
      </g>
      <rect className={styles.scan} x="204" y="372" width="392" height="2" rx="1" />
    </svg>
  )
}
