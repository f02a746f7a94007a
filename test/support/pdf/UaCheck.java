import java.io.FileInputStream;
import java.io.InputStream;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/** Checks PDFs against PDF/UA-1. Prints a line for each failed check, then the number of checks that ran. */
public final class UaCheck {
  public static void main(String[] paths) throws Exception {
    Logger.getLogger("").setLevel(Level.OFF);
    VeraGreenfieldFoundryProvider.initialise();
    for (String path : paths) {
      try (InputStream file = new FileInputStream(path);
          PDFAParser parser = Foundries.defaultInstance().createParser(file, PDFAFlavour.PDFUA_1);
          PDFAValidator validator = Foundries.defaultInstance().createValidator(PDFAFlavour.PDFUA_1, false)) {
        ValidationResult result = validator.validate(parser);
        for (TestAssertion failed : result.getTestAssertions()) {
          System.out.println("failed " + failed.getRuleId().getClause() + "-" + failed.getRuleId().getTestNumber() + " "
              + failed.getMessage().replace('\n', ' ') + " at " + failed.getLocation().getContext());
        }
        System.out.println("checks " + result.getTotalAssertions() + " compliant " + result.isCompliant());
      }
    }
  }
}
