/** A WebSocket connection, as those see it who send to it without being asked. */
export interface Connection {
  /** Sends one JSON text; what a slow reader has not taken is bounded, and beyond the bound the connection is ended. */
  send(text: string): void
  /** Called once, when the connection has ended for whatever reason. */
  onClose(listener: () => void): void
}
