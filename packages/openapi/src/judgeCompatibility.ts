export type Compatibility = { isAccepted: true } | { isAccepted: false; reason: string };

/**
 * Says whether swagger-parser, which many tools are built on, accepts a bundled specification. Its time
 * doubles with each level of schemas that are referred to twice: call it in a child process with a limit.
 *
 * @param bundle  the JSON text that `readSpecification` returns
 */
export async function judgeCompatibility(bundle: string): Promise<Compatibility> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  try {
    await SwaggerParser.validate(JSON.parse(bundle), { resolve: { external: false } });
    return { isAccepted: true };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // It resolves references against the working directory, and names it.
    return { isAccepted: false, reason: message.replaceAll(`${process.cwd()}/`, '') };
  }
}
