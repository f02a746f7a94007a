import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.PacketLineOut;
import org.eclipse.jgit.transport.ReceivePack;
import org.eclipse.jgit.transport.RefAdvertiser.PacketLineOutRefAdvertiser;
import org.eclipse.jgit.transport.UploadPack;

/**
 * Serves the bare repositories below a folder with JGit's upload-pack and receive-pack, on a free port of loopback that it prints.
 *
 * Arguments: the folder, then user and password where every request needs them. It ends with its standard input, so with who started it.
 */
public class JGitServer {
  public static void main(String[] args) throws Exception {
    File root = new File(args[0]);
    String expected =
        args.length < 3 ? null : "Basic " + Base64.getEncoder().encodeToString((args[1] + ":" + args[2]).getBytes(StandardCharsets.UTF_8));
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", exchange -> {
      try (exchange) {
        if (expected != null && !expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
          exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
          exchange.sendResponseHeaders(401, -1);
        } else {
          serve(root, exchange);
        }
      }
    });
    server.start();
    System.out.println(server.getAddress().getPort());
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  static void serve(File root, HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    boolean isAdvertisement = path.endsWith("/info/refs");
    String query = exchange.getRequestURI().getQuery();
    String service = isAdvertisement ? String.valueOf(query).replace("service=", "") : path.substring(path.lastIndexOf('/') + 1);
    File folder = new File(root, path.replaceFirst("/(info/refs|git-[a-z-]+)$", ""));
    if (!new File(folder, "HEAD").exists() || !service.matches("git-(upload|receive)-pack")) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    boolean isFetch = service.equals("git-upload-pack");
    String protocol = exchange.getRequestHeaders().getFirst("Git-Protocol");
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try (Repository repository = new FileRepositoryBuilder().setGitDir(folder).setBare().build(); InputStream body = body(exchange)) {
      UploadPack upload = new UploadPack(repository);
      upload.setBiDirectionalPipe(false);
      if (protocol != null && isFetch) upload.setExtraParameters(java.util.List.of(protocol.split(":")));
      ReceivePack receive = new ReceivePack(repository);
      receive.setBiDirectionalPipe(false);
      if (isAdvertisement) {
        PacketLineOut lines = new PacketLineOut(answer);
        if (!isFetch) {
          lines.writeString("# service=" + service + "\n");
          lines.end();
        }
        PacketLineOutRefAdvertiser advertiser = new PacketLineOutRefAdvertiser(lines);
        if (isFetch) upload.sendAdvertisedRefs(advertiser, protocol == null ? service : null);
        else receive.sendAdvertisedRefs(advertiser);
      } else if (isFetch) {
        upload.uploadWithExceptionPropagation(body, answer, null);
      } else {
        receive.receiveWithExceptionPropagation(body, answer, null);
      }
    } catch (IOException | RuntimeException problem) {
      if (System.getenv("DEBUG") != null) problem.printStackTrace();
      // As JGit's servlet does for what the client got wrong: in git's words, with status 200.
      new PacketLineOut(answer).writeString("ERR " + problem.getClass().getSimpleName());
    }
    exchange.getResponseHeaders().set("Content-Type", "application/x-" + service + (isAdvertisement ? "-advertisement" : "-result"));
    exchange.getResponseHeaders().set("Cache-Control", "no-cache");
    exchange.sendResponseHeaders(200, answer.size() == 0 ? -1 : answer.size());
    if (answer.size() > 0) exchange.getResponseBody().write(answer.toByteArray());
  }

  static InputStream body(HttpExchange exchange) throws IOException {
    boolean isPacked = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    // Read to its end at once: JGit skips what is left of it, and this server's stream never ends a skip.
    byte[] sent = (isPacked ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()).readAllBytes();
    return new ByteArrayInputStream(sent);
  }
}
