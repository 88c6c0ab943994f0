import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { SERVICE_PREFIX } from '@gatehouse/contract'

/** Where `npm run dev` forwards calls to; the server's own default address. */
const server = process.env['GATEHOUSE_SERVER'] ?? 'http://127.0.0.1:8080'
const forwarded = [...Object.values(SERVICE_PREFIX), '/rtc/v1', '/files', '/openapi.json', '/docs']

export default defineConfig({
  // Relative, so that the console works below any path a proxy gives it.
  base: './',
  plugins: [react()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    // Chunks are named by content; the server may cache them for ever.
    assetsInlineLimit: 2048,
    chunkSizeWarningLimit: 800,
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(forwarded.map((prefix) => [prefix, { target: server, ws: true, changeOrigin: false }])),
  },
})
